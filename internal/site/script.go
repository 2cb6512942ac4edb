package site

import (
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/clients/javascript"
)

// exported matches the exported declarations of the client.
var exported = regexp.MustCompile(`(?m)^export (async function|function|class|const) (\w+)`)

// clientScript returns the client as a classic script whose global rubricBundle has the
// exports of the module, because browsers do not load modules from a local folder.
func clientScript() string {
	var names []string
	for _, match := range exported.FindAllStringSubmatch(javascript.Source, -1) {
		names = append(names, match[2])
	}
	body := exported.ReplaceAllString(javascript.Source, "$1 $2")
	return "\"use strict\";\nconst rubricBundle = (() => {\n" + body + "\nreturn Object.freeze({ " + strings.Join(names, ", ") + " });\n})();\n"
}
