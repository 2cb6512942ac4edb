package lines

// A long comment does not count, however long it is, however long it is, however long it is, however long it is, however long it is, however long it is.
var text = "a text does not count, however long it is, a text does not count, however long it is, a text does not count, however long it is, a text does not count, however long it is, a text does not count, however long it is, "

var raw = `a text of two lines, of which the first is long, and so on, and so on, and so on, and so on, and so on, and so on, and so on,
and the second as well, and so on, and so on, and so on, and so on, and so on, and so on, and so on, and so on, and so on, and so on, and so on`

const one = 1

var longx = one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one // want "the line has 141 bytes"

var atTheLimit = one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one // a comment does not count
