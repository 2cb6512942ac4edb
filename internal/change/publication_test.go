package change

import "testing"

func TestSuccessor(t *testing.T) {
	tests := []struct {
		reason, id, version, wantID, wantVersion string
	}{
		{"the number grows by one", "x_v1", "1.4.2", "x_v2", "2.0.0"},
		{"a draft is forked to _v2 as well", "x_v1", "0.3.0", "x_v2", "2.0.0"},
		{"nine is followed by ten", "x_v9", "9.0.0", "x_v10", "10.0.0"},
		{"_v0 holds drafts", "x_v0", "0.1.0", "x_v1", "1.0.0"},
		{"without a number it is _v1", "x", "1.0.0", "x_v2", "2.0.0"},
		{"without a number a draft is _v1", "x", "0.1.0", "x_v2", "2.0.0"},
		{"without a number the major version counts", "x", "3.1.0", "x_v4", "4.0.0"},
		{"a number in the middle does not count", "x_v1_y", "1.0.0", "x_v1_y_v2", "2.0.0"},
		{"a number without _v does not count", "x_1", "1.0.0", "x_1_v2", "2.0.0"},
	}
	for _, tt := range tests {
		id, version, err := Successor(tt.id, tt.version)
		if err != nil || id != tt.wantID || version != tt.wantVersion {
			t.Errorf("%s: %s at %s is followed by %s at %s, want %s at %s", tt.reason, tt.id, tt.version, id, version, tt.wantID, tt.wantVersion)
		}
	}
}
