package generated

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	calibrations "github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	diffs "github.com/rubric-library/rubric-library/internal/change/diff/printer"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	lint "github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/render"
	rulesets "github.com/rubric-library/rubric-library/internal/rulesets/printer"
)

// output is a kind of output in JSON, whose schema follows from a Go type: its keys, its
// comments, and the constants of its types.
type output struct {
	title, doc string
	version    int
	record     reflect.Type
	// values restrict the values of keys.
	values map[string]object
}

type object = map[string]any

// grows is what every schema says about its future.
const grows = " schema_version increases when a program that reads the output would break; keys can be added without that."

var (
	position = object{"minimum": 1}
	hash     = object{"pattern": "^([0-9a-f]{40})?$"}
	digest   = object{"pattern": "^sha256:[0-9a-f]{64}$"}
	share    = object{"minimum": 0, "maximum": 1}
	count    = object{"minimum": 0}
	text     = object{"minLength": 1}
	outputs  = map[string]output{
		"lint-output.schema.json": {
			"Output of rubric-lint --format json", "The findings of rubric-lint.", lint.SchemaVersion, reflect.TypeFor[lint.Report](),
			map[string]object{
				"line": position, "column": position, "end_line": position, "end_column": position,
				"revision": hash, "merge_base": hash, "merge_bases": hash, "target": hash,
				"severity":    {"enum": []string{"error", "warning", "note"}},
				"rule":        {"pattern": "^[a-z]+(-[a-z]+)*$"},
				"pointer":     {"pattern": "^(/.*)?$"},
				"spec":        {"pattern": "^(RL-[0-9]{2})?$"},
				"fingerprint": {"pattern": "^[0-9a-f]{32}$"},
				"errors":      {"minimum": 0}, "warnings": {"minimum": 0}, "notes": {"minimum": 0}, "hidden": {"minimum": 0},
			},
		},
		"evaluation-output.schema.json": {
			"Output of rubric rules evaluate and score --format json", "The verdicts on the rules of a phase. It is also a file of verdicts.",
			rulesets.EvaluationVersion, reflect.TypeFor[rulesets.Evaluation](),
			map[string]object{
				"line": position, "column": position, "digest": digest, "score": share, "threshold": share,
				"weight": {"minimum": 0}, "passed_weight": {"minimum": 0}, "active_weight": {"minimum": 0}, "count": {"minimum": 0},
			},
		},
		"diff-output.schema.json": {
			"Output of rubric-diff", "The output of rubric-diff with --format json, and with --changelog --format json.", diffs.SchemaVersion, reflect.TypeFor[diffs.Diff](),
			map[string]object{
				"line": position, "column": position, "revision": hash, "message": text, "Value.file": text,
				"items": count, "raters": count, "removed": count, "replayed": count, "to_fail": count, "to_pass": count,
				"DocumentDiff.kind": {"enum": []any{"rubric", "rule_set", nil}}, "Flip.reasons": {"minItems": 1},
				"Outcome.kind": {"enum": []string{"criterion", "negative_criterion"}},
			},
		},
		"calibration-output.schema.json": {
			"Output of rubric calibrate report, check and weekly --format json", "How well judges agree with people, and what they may be used for.", calibrations.SchemaVersion, reflect.TypeFor[calibrations.Output](),
			map[string]object{
				"judge_digest": digest, "labels_digest": digest, "prompt_digest": digest, "digest": digest, "share": share, "coverage": share, "minimum_coverage": share, "minimum_rate": share,
				"items": count, "raters": count, "paired": count, "dev": count, "labeled": count, "items_needed": count, "repeats": position, "attempts": count,
			},
		},
	}
	// written are the types that are not written as what they are in Go.
	written = map[reflect.Type]object{
		reflect.TypeFor[render.Optional](): {"type": []string{"string", "null"}, "minLength": 1},
		reflect.TypeFor[agreement.Value](): {
			"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
			"properties": object{"value": object{"type": "number"}, "undefined": object{"type": "string", "description": "Why there is no value."}},
		},
		reflect.TypeFor[agreement.Estimate](): {
			"type": "object", "minProperties": 1, "additionalProperties": false,
			"properties": object{
				"value": object{"type": "number"}, "undefined": object{"type": "string", "description": "Why there is no value."},
				"low": object{"type": "number"}, "high": object{"type": "number"}, "interval_undefined": object{"type": "string", "description": "Why there is no interval of 95%."},
			},
		},
		reflect.TypeFor[schema.Class](): {"enum": []any{"major", "minor", "patch", "none", nil}},
		reflect.TypeFor[compat.ChangeKind](): {"enum": []compat.ChangeKind{
			compat.Added, compat.Removed, compat.Raised, compat.Lowered, compat.Renamed, compat.Reordered, compat.Moved, compat.Replaced,
			compat.Changed, compat.Reworded, compat.Unclassified, diff.Unreadable, diff.Gone,
		}},
	}
)

func (o *output) schema(name string) ([]byte, error) {
	b := &schemaBuilder{output: o, defs: object{}, packages: map[string]*goSource{}}
	root, err := b.object(o.record)
	if err != nil {
		return nil, err
	}
	root["$schema"], root["$id"] = "https://json-schema.org/draft/2020-12/schema", document.SchemaBase+name
	root["title"], root["description"], root["$defs"] = o.title, o.doc+grows, b.defs
	data, err := json.MarshalIndent(root, "", "  ")
	return append(data, '\n'), err
}

type schemaBuilder struct {
	*output
	defs     object
	packages map[string]*goSource // by path
}

// goSource is what the schema takes from the Go code of a package.
type goSource struct {
	comments map[string]string   // by type and field
	words    map[string][]string // the constants of a type
}

// object returns the schema of a struct.
func (b *schemaBuilder) object(t reflect.Type) (object, error) {
	properties, required := object{}, []string{}
	var add func(t reflect.Type) error
	add = func(t reflect.Type) error {
		from, err := b.source(t)
		for i := range t.NumField() {
			f := t.Field(i)
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case err != nil:
				return err
			case f.Anonymous:
				err = add(f.Type)
				continue
			case key == "-" || !f.IsExported():
				continue
			}
			optional := strings.HasPrefix(options, "omit")
			if !optional {
				required = append(required, key)
			} else if f.Type.Kind() == reflect.Pointer {
				f.Type = f.Type.Elem()
			}
			s, failed := b.value(f.Type, key)
			if key == "schema_version" {
				s = object{"const": b.version}
			}
			maps.Copy(s, b.values[t.Name()+"."+key])
			if text := from.comments[t.Name()+"."+f.Name]; text != "" {
				s["description"] = text
			}
			properties[key], err = s, failed
		}
		return err
	}
	err := add(t)
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}, err
}

// defined are the names of definitions that are not those of the Go types. They stay, because
// programs that are generated from a schema use them.
var defined = map[string]string{"DocumentDiff": "document", "MeaningChange": "change"}

// value returns the schema of the value of a key.
func (b *schemaBuilder) value(t reflect.Type, key string) (object, error) {
	if s := written[t]; s != nil {
		return maps.Clone(s), nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		s, err := b.value(t.Elem(), key)
		return object{"oneOf": []object{{"type": "null"}, s}}, err
	case reflect.Slice:
		elem := t.Elem()
		if elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		s, err := b.value(elem, key)
		return object{"type": "array", "items": s}, err
	case reflect.Map:
		s, err := b.value(t.Elem(), key)
		return object{"type": "object", "additionalProperties": s}, err
	case reflect.Struct:
		name := cmp.Or(defined[t.Name()], strings.ToLower(regexp.MustCompile(`([a-z])([A-Z])`).ReplaceAllString(t.Name(), "${1}_$2")))
		if b.defs[name] == nil {
			b.defs[name] = true // a type can contain itself
			s, err := b.object(t)
			if err != nil {
				return nil, err
			}
			b.defs[name] = s
		}
		return object{"$ref": "#/$defs/" + name}, nil
	}
	s := object{"type": map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Float64: "number"}[t.Kind()]}
	if t.PkgPath() != "" {
		from, err := b.source(t)
		if err != nil {
			return nil, err
		}
		return object{"enum": from.words[t.Name()]}, nil
	}
	maps.Copy(s, b.values[key])
	return s, nil
}

// said matches the beginning of a comment about a field.
var said = regexp.MustCompile(`^[A-Z]\w* (?:is|are|has) `)

// source reads the package of a type.
func (b *schemaBuilder) source(t reflect.Type) (*goSource, error) {
	path := t.PkgPath()
	if b.packages[path] != nil {
		return b.packages[path], nil
	}
	out := &goSource{map[string]string{}, map[string][]string{}}
	b.packages[path] = out
	dir := filepath.Join("..", "..", "..", strings.TrimPrefix(path, "github.com/rubric-library/rubric-library/"))
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					out.fields(n.Name.Name, s)
				}
			case *ast.ValueSpec:
				out.constants(n)
			}
			return true
		})
	}
	return out, err
}

func (s *goSource) fields(of string, t *ast.StructType) {
	for _, f := range t.Fields.List {
		text := strings.Join(strings.Fields(f.Doc.Text()), " ")
		if start := said.FindString(text); start != "" {
			text = text[len(start):]
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		for _, name := range f.Names {
			s.comments[of+"."+name.Name] = text
		}
	}
}

func (s *goSource) constants(v *ast.ValueSpec) {
	of, ok := v.Type.(*ast.Ident)
	for _, value := range v.Values {
		if word, isText := value.(*ast.BasicLit); ok && isText && word.Kind == token.STRING {
			text, _ := strconv.Unquote(word.Value) // it compiles
			s.words[of.Name] = append(s.words[of.Name], text)
		}
	}
}

// variable matches the hash of a commit in the expected output of a script.
var variable = regexp.MustCompile(`\$\{\w+\}`)

// TestOutputsConform validates every output in a script of a command.
func TestOutputsConform(t *testing.T) {
	compiled := map[string]*jsonschema.Schema{}
	for name, o := range outputs {
		data := must.Get(o.schema(name))(t)
		c := jsonschema.NewCompiler()
		must.Do(t, c.AddResource(name, must.Get(jsonschema.UnmarshalJSON(strings.NewReader(string(data))))(t)))
		compiled[name] = must.Get(c.Compile(name))(t)
	}
	seen := map[string]int{}
	scripts := must.Get(fs.Glob(os.DirFS("../../.."), "cmd/*/testdata/script/*.txtar"))(t)
	for _, script := range scripts {
		for _, f := range must.Get(txtar.ParseFile(filepath.Join("..", "..", "..", script)))(t).Files {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(variable.ReplaceAllString(string(f.Data), strings.Repeat("0", 40))))
			found, isObject := value.(map[string]any)
			if err != nil || !isObject {
				continue
			}
			name := ""
			if _, has := found["exceptions"]; has && found["summary"] != nil {
				name = "lint-output.schema.json"
			} else if _, has := found["blocking"]; has {
				name = "evaluation-output.schema.json"
			} else if _, has := found["replay"]; has {
				name = "diff-output.schema.json"
			}
			if name == "" {
				continue
			}
			seen[name]++
			if err := compiled[name].Validate(value); err != nil {
				t.Errorf("%s, %s: %v", script, f.Name, err)
			}
		}
	}
	if len(seen) != len(outputs)-1 { // the scripts with long reports of calibrations validate them
		t.Error(fmt.Sprint("the scripts have these outputs: ", seen))
	}
}
