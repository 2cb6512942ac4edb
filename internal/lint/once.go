package lint

// memory has the results that lint rules share in a pass.
type memory struct{ values map[any]any }

func (m *memory) remembered() *memory { return m }

// Once returns a function that computes a value for a pass once and remembers it, so that
// lint rules share it for a document, for all datasets, or for the repository.
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
