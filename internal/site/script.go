package site

import (
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/clients/javascript"
)

// exported are the declarations of the client that other modules can import.
var exported = regexp.MustCompile(`(?m)^export (async function|function|class|const) (\w+)`)

// clientScript is the client as a classic script, because a browser loads no module
// from a folder: the global rubricBundle has what the module exports.
func clientScript() string {
	var names []string
	for _, match := range exported.FindAllStringSubmatch(javascript.Source, -1) {
		names = append(names, match[2])
	}
	body := exported.ReplaceAllString(javascript.Source, "$1 $2")
	return "\"use strict\";\nconst rubricBundle = (() => {\n" + body + "\nreturn Object.freeze({ " + strings.Join(names, ", ") + " });\n})();\n"
}
