package or

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"own/helper"
)

func bad(ctx context.Context, f *os.File, l *helper.List, items []string, closers []func() error, known map[string]int, queue chan string) {
	// The second runs on a file that was not removed.
	_ = cmp.Or(os.Remove("a"), os.Remove("b")) // want `os.Remove runs although os.Remove failed`
	// A method of another package.
	_ = cmp.Or(f.Sync(), f.Close()) // want `f.Close runs although f.Sync failed`
	// A question about the state is an effect, too, if its answer is an error.
	_ = cmp.Or(helper.Check(""), ctx.Err()) // want `ctx.Err runs although helper.Check failed`
	// A function value.
	_ = cmp.Or(closers[0](), closers[1]()) // want `closers\[1\] runs although closers\[0\] failed`
	// Between them is one that does nothing, and the call is below others.
	_ = cmp.Or(helper.Check(""), nil, fmt.Errorf("x: %w", helper.Check(""))) // want `helper.Check runs`
	// Both change the list, one through another method.
	_ = cmp.Or(l.Take("a"), l.Take("b")) // want `l.Take runs although l.Take failed`
	// Both change a variable of a package.
	_ = cmp.Or(helper.Next(), helper.Next()) // want `helper.Next runs`
	// Both change what their argument leads to.
	_ = cmp.Or(helper.Clear(items), helper.Clear(items[1:])) // want `helper.Clear runs`
	_ = cmp.Or(count(known), count(known))                   // want `count runs`
	_ = cmp.Or(alias(l), alias(l))                           // want `alias runs`
	// A function literal that is called on the way.
	_ = cmp.Or(each(func() { l.Take("a") }), l.Take("b")) // want `l.Take runs`
	// Function literals that set a variable themselves.
	n := 0
	_ = cmp.Or(each(func() { n++ }), each(func() { n = 2 })) // want `n runs although n failed`
	// Both take a value from a channel.
	_ = cmp.Or(<-queue, <-queue) // want `<-queue runs although <-queue failed`
	// A list in place of the arguments.
	_ = cmp.Or([]error{f.Sync(), f.Close()}...) // want `f.Close runs although f.Sync failed`
}

func good(err error, f *os.File, l *helper.List, items []string) {
	// The file must be closed in both cases.
	_ = cmp.Or(err, f.Close())
	// Errors that are made here.
	_ = cmp.Or(err, errors.New("a"), fmt.Errorf("b"))
	_ = cmp.Or(f.Close(), errors.New("a"))
	_ = cmp.Or(f.Close(), helper.Wrong("a"), helper.Wrapped("b"))
	// Functions that change only what is their own.
	_ = cmp.Or(helper.Upper("a"), helper.Upper("b"))
	_ = cmp.Or(helper.Sorted(items), helper.Sorted(items))
	_ = cmp.Or(l.First(), l.First())
	_ = cmp.Or(fresh(), fresh())
	_ = cmp.Or(len(items), cap(items))
	_ = cmp.Or(error(nil), error(nil))
	// One effect.
	_ = cmp.Or(l.First(), l.Take("b"))
	_ = cmp.Or(helper.Next(), len(items))
	// A function literal that changes only what is its own.
	_ = cmp.Or(each(func() { own := 0; own++ }), l.Take("b"))
	// A list that is there already.
	_ = cmp.Or([]error{err, f.Close()}...)
	// Another Or.
	_ = Or(f.Sync(), f.Close())
}

func Or(errs ...error) error { return errs[0] }

func count(known map[string]int) int {
	known["a"]++
	return known["a"]
}

// alias changes the list under another name.
func alias(l *helper.List) string {
	same := l
	return same.Take("a")
}

func fresh() string {
	l := &helper.List{}
	return l.Take("a")
}

func each(do func()) string {
	do()
	return ""
}
