//go:build unix

package evaluate

func systemEnvironment(string) []string { return nil }
