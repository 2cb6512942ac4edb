package yamltree

// level is an open mapping or sequence.
type level struct {
	kind  byte // one of : - [ {, or 0 around the document
	start int  // offset of its first key or dash, or of its bracket
	col   int  // column, from 0, of the innermost mapping or sequence by indentation, or -1
	below bool // dashes at the same column as the keys of the mapping around them
	depth int
	outer *level
}

// maxKey is how many characters a key can have, by the YAML specification.
const maxKey = 1024
