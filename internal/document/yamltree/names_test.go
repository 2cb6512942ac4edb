package yamltree

// String names the kind such as "list".
func (k NodeKind) String() string {
	return name(k, "mapping", "list", "single value")
}

// String names the type such as "whole number".
func (t Type) String() string {
	return name(t, "text", "whole number", "number", "true or false", "empty value")
}

// String names the style, such as "double-quoted".
func (s Style) String() string {
	return name(s, "plain", "single-quoted", "double-quoted", "literal", "folded", "block", "flow")
}

func name[T ~uint8](v T, names ...string) string {
	if v < 1 || int(v) > len(names) {
		return "invalid"
	}
	return names[v-1]
}
