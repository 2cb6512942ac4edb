package importing

import "strings"

func parts(key string) []string {
	return strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return strings.ContainsRune("_ -.", r) })
}
