package main

import (
	"fmt"
	"go/ast"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// files are the files of a package with their arrows: a file has an arrow to another one if it
// uses a function, type, constant, variable, method, or field that is declared there.
type files struct {
	pkg   string
	names []string
	uses  [][]int // uses[from][to] counts the places
}

// back are the arrows that run back up in the best order of the files: the fewest without which
// the files have an order in which each uses only later ones.
type back struct {
	order  []string
	arrows []string
}

// readFiles reads the files of the packages with some patterns.
func readFiles(root string, patterns ...string) ([]files, error) {
	config := &packages.Config{
		Dir: root,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedImports,
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	var all []files
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		all = append(all, filesOf(p))
	}
	return all, nil
}

func filesOf(p *packages.Package) files {
	f := files{pkg: strings.TrimPrefix(p.PkgPath, module)}
	number := map[string]int{}
	for i, file := range p.Syntax {
		name := p.Fset.Position(file.Package).Filename
		number[name] = i
		f.names = append(f.names, filepath.Base(name))
		f.uses = append(f.uses, make([]int, len(p.Syntax)))
	}
	for from, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			ident, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			used := p.TypesInfo.Uses[ident]
			if used == nil || used.Pkg() != p.Types {
				return true
			}
			if to, ok := number[p.Fset.Position(used.Pos()).Filename]; ok && to != from {
				f.uses[from][to]++
			}
			return true
		})
	}
	return f
}

// back finds the best order. It takes the files of each circle by themselves.
func (f *files) back() back {
	var b back
	for _, circle := range f.circles() {
		for _, i := range f.order(circle) {
			b.order = append(b.order, f.names[i])
		}
	}
	at := map[string]int{}
	for i, name := range b.order {
		at[name] = i
	}
	for from, uses := range f.uses {
		for to, n := range uses {
			if n > 0 && at[f.names[to]] < at[f.names[from]] {
				b.arrows = append(b.arrows, fmt.Sprintf("%s -> %s (%d)", f.names[from], f.names[to], n))
			}
		}
	}
	slices.Sort(b.arrows)
	return b
}

// circles groups the files that can reach each other, so that each group uses only later ones.
func (f *files) circles() [][]int {
	reach := make([][]bool, len(f.names))
	for i := range f.names {
		reach[i] = make([]bool, len(f.names))
		f.reach(i, reach[i])
	}
	left := make([]bool, len(f.names))
	for i := range left {
		left[i] = true
	}
	var groups [][]int
	for len(slices.Concat(groups...)) < len(f.names) {
		first := slices.IndexFunc(indexes(len(f.names)), func(i int) bool {
			return left[i] &&
				!slices.ContainsFunc(indexes(len(f.names)), func(j int) bool { return left[j] && reach[j][i] && !reach[i][j] })
		})
		var group []int
		for j := range f.names {
			if j == first || left[j] && reach[first][j] && reach[j][first] {
				group = append(group, j)
				left[j] = false
			}
		}
		groups = append(groups, group)
	}
	return groups
}

func (f *files) reach(from int, reached []bool) {
	for to, n := range f.uses[from] {
		if n > 0 && !reached[to] {
			reached[to] = true
			f.reach(to, reached)
		}
	}
}

func indexes(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// mostExact is the number of files of a circle for which the best order is searched among all.
const mostExact = 22

// order is the best order of the files of a circle. That of a large one is the best that was
// found, so the arrows that run back up can be fewer.
func (f *files) order(circle []int) []int {
	if len(circle) > mostExact {
		return f.improved(circle)
	}
	return f.exact(circle)
}

// improved moves single files to better places, from many random orders.
func (f *files) improved(circle []int) []int {
	random := rand.New(rand.NewPCG(1, 2))
	best, least := circle, f.cost(circle)
	for range 200 {
		order := slices.Clone(circle)
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		if cost := f.settle(order); cost < least {
			best, least = order, cost
		}
	}
	return best
}

// settle moves files of an order as long as this saves arrows, and returns how many are left.
func (f *files) settle(order []int) int {
	cost := f.cost(order)
	for again := true; again; {
		again = false
		for i := range order {
			to, saved := f.betterPlace(order, i)
			if saved == 0 {
				continue
			}
			moved := order[i]
			copy(order[i:], order[i+1:])
			copy(order[to+1:], order[to:len(order)-1])
			order[to] = moved
			cost -= saved
			again = true
		}
	}
	return cost
}

// betterPlace is the place of an order to which its file i can move with the most arrows saved.
func (f *files) betterPlace(order []int, i int) (to, saved int) {
	for _, step := range []int{-1, 1} {
		change := 0 // in the number of arrows that run back up
		for j := i + step; j >= 0 && j < len(order); j += step {
			out, in := min(1, f.uses[order[i]][order[j]]), min(1, f.uses[order[j]][order[i]])
			change += step * (out - in)
			if -change > saved {
				to, saved = j, -change
			}
		}
	}
	return to, saved
}

// cost is the number of arrows of an order that run back up.
func (f *files) cost(order []int) (n int) {
	for i, from := range order {
		for _, to := range order[:i] {
			n += min(1, f.uses[from][to])
		}
	}
	return n
}

// exact finds the best order by dynamic programming over the subsets of a circle: a set of files
// that comes last costs the arrows from it to the files before it, so the best cost of each set
// follows from those with one file less.
func (f *files) exact(circle []int) []int {
	n := len(circle)
	out := make([]uint32, n) // out[i] has the files that file i uses
	for i, from := range circle {
		for j, to := range circle {
			if f.uses[from][to] > 0 {
				out[i] |= 1 << j
			}
		}
	}
	// cost[set] is the fewest arrows that run back up if the files of the set come first.
	cost, last := make([]uint8, 1<<n), make([]uint8, 1<<n)
	for set := uint32(1); set < 1<<n; set++ {
		cost[set] = 255
		for i := range n {
			if set&(1<<i) == 0 {
				continue
			}
			before := set &^ (1 << i)
			if c := cost[before] + uint8(ones(out[i]&before)); c < cost[set] {
				cost[set], last[set] = c, uint8(i)
			}
		}
	}
	order := make([]int, n)
	for set, k := uint32(1<<n-1), n-1; k >= 0; k-- {
		order[k] = circle[last[set]]
		set &^= 1 << last[set]
	}
	return order
}

func ones(set uint32) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// printOrder prints the order of the files of packages and the arrows that run back up.
func printOrder(w io.Writer, root string, patterns []string) error {
	all, err := readFiles(root, patterns...)
	if err != nil {
		return err
	}
	for _, f := range all {
		b := f.back()
		fmt.Fprintf(w, "%s: %d arrows run back up in %d files\n  %s\n",
			f.pkg, len(b.arrows), len(f.names), strings.Join(b.order, " "))
		for _, arrow := range b.arrows {
			fmt.Fprintf(w, "  %s\n", arrow)
		}
	}
	return nil
}
