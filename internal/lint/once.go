package lint

// memory has what lint rules computed of what a pass is about.
type memory struct{ values map[any]any }

func (m *memory) remembered() *memory { return m }

// Once makes a function that computes something of a pass and remembers it: lint
// rules that need the same of one document, of all datasets, or of the repository
// share it.
func Once[P interface{ remembered() *memory }, T any](compute func(P) T) func(P) T {
	key := new(byte) // of this function alone
	return func(p P) T {
		m := p.remembered()
		if value, known := m.values[key]; known {
			return value.(T)
		}
		value := compute(p)
		if m.values == nil {
			m.values = map[any]any{}
		}
		m.values[key] = value
		return value
	}
}
