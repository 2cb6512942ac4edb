package objects

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// TestDeltas applies deltas of deltas, and compares the results with copies of the bytes.
func TestDeltas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "base")
		object := whole(KindBlob, plain)
		for range rapid.IntRange(1, 4).Draw(t, "deltas") {
			var commands, want []byte
			for range rapid.SampledFrom([]int{1, 3, 20, 300}).Draw(t, "commands") {
				if rapid.Bool().Draw(t, "inserts") || len(plain) == 0 {
					insert := rapid.SliceOfN(rapid.Byte(), 1, 5).Draw(t, "bytes")
					commands, want = append(append(commands, byte(len(insert))), insert...), append(want, insert...)
					continue
				}
				from := rapid.IntRange(0, len(plain)-1).Draw(t, "from")
				size := rapid.IntRange(1, min(len(plain)-from, 255)).Draw(t, "size")
				commands = append(commands, 0x80|0x01|0x02|0x10, byte(from), byte(from>>8), byte(size))
				want = append(want, plain[from:from+size]...)
			}
			sizes := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(plain))), uint64(len(want)))
			d, err := parseDelta(append(sizes, commands...))
			if err != nil {
				t.Fatal(err)
			}
			start, err := d.start(10, func() ([]byte, error) { return plain[:min(20, len(plain))], nil })
			if err != nil || !bytes.HasPrefix(want, start) || len(start) > 10 {
				t.Fatalf("%q starts with %q, %v", want, start, err)
			}
			before := object.join()
			next, err := d.apply(&object)
			if err != nil || !bytes.Equal(next.join(), want) || next.size != int64(len(want)) || !bytes.Equal(object.join(), before) {
				t.Fatalf("%q, %v, want %q", next.join(), err, want)
			}
			for i, p := range next.parts {
				if begin := p.end - int64(len(p.data)); begin < 0 || i == len(next.parts)-1 && p.end != next.size {
					t.Fatalf("part %d ends at %d of %d", i, p.end, next.size)
				}
			}
			object, plain = next, want
		}
	})
}

func TestInvalidDeltas(t *testing.T) {
	base := whole(KindBlob, []byte("0123456789"))
	tests := []struct{ reason, text string }{
		{"a reserved command", deltaOf(10, 1, "\x00")},
		{"a part after the end of the base", deltaOf(10, 5, "\x91\x08\x05")},
		{"an insertion that is cut off", deltaOf(10, 5, "\x05abc")},
		{"a copy that is cut off", deltaOf(10, 5, "\x91\x00")},
		{"a result that is too short", deltaOf(10, 5, "\x01a")},
		{"a result that is too long", deltaOf(10, 1, "\x02ab")},
		{"another base", deltaOf(9, 1, "\x01a")},
	}
	for _, tt := range tests {
		d, err := parseDelta([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if got, err := d.apply(&base); err == nil {
			t.Errorf("%s: %q", tt.reason, got.join())
		}
	}
}
