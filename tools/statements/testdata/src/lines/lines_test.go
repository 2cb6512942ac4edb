package lines

var inATestx = one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one + one
