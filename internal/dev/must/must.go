// Package must ends a test at an error that it does not expect.
package must

// T is a test, a benchmark, or a check of a property.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Do ends the test if there is an error.
func Do(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns the value of a call without an error: must.Get(os.ReadFile(name))(t).
func Get[V any](value V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		Do(t, err)
		return value
	}
}
