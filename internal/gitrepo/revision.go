package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// accepted describes a valid revision, for messages.
const accepted = "use a branch, a tag, origin/BRANCH, HEAD, or a hash of at least 4 digits, " +
	"optionally followed by ~, ~2, ^, or ^2"

// Resolve returns the commit that rev names: a full or a short hash (at least 4
// digits), HEAD, a branch, a tag (an annotated one is followed to its commit), a
// remote branch such as origin/main, or a full name such as refs/pull/1/merge,
// followed by any number of ~, ~N, ^, ^N. A name is searched for as gitrevisions(7)
// says: as it is, in refs, refs/tags, refs/heads, and refs/remotes, and as the HEAD of
// a remote. It must exist in one of these only.
//
// Nothing else in gitrevisions(7) is supported. The error is a *RevisionError or a
// read error.
func (r *Repo) Resolve(rev string) (Commit, error) {
	c, err := r.resolve(rev)
	if e, ok := errors.AsType[*RevisionError](err); ok {
		e.Revision = rev
	}
	return c, err
}

func (r *Repo) resolve(rev string) (Commit, error) {
	refuse := func(format string, args ...any) (Commit, error) {
		return Commit{}, &RevisionError{Reason: fmt.Sprintf(format, args...)}
	}
	name, steps := rev, ""
	if end := strings.IndexAny(rev, "~^"); end >= 0 {
		name, steps = rev[:end], rev[end:]
	}
	if name == "@" || strings.HasPrefix(name, "-") || !validRef("refs/"+name) {
		return refuse("this form is not supported; %s", accepted)
	}
	at, err := r.lookup(name)
	if errors.Is(err, errNoRef) {
		advice := r.askMeant(name)
		if advice == "" {
			advice = r.fetchAdvice(name)
		}
		return Commit{}, &RevisionError{Absent: true, Reason: "no branch, tag, or commit has this name", Advice: advice}
	} else if errors.Is(err, errNotACommit) {
		return refuse("it names a file or a folder, not a commit")
	} else if err != nil {
		return Commit{}, err
	}
	if !suffix().MatchString(steps) {
		return refuse("the suffix after %q is not supported; %s", name, accepted)
	}
	for _, m := range suffixStep().FindAllStringSubmatch(steps, -1) {
		n, _ := strconv.Atoi(cmp.Or(m[2], "1")) // at most nine digits
		if at, err = r.step(at, m[1], n); err != nil {
			return Commit{}, err
		}
	}
	return at, nil
}

// version matches the version of a library, as people write it for its release.
var version = lazy.Expr(`^v?([0-9]+\.[0-9]+\.[0-9]+)$`)

// askMeant asks whether a branch or tag of a similar name was meant, or says how the tags of releases
// are named. It is "" if nothing is similar.
func (r *Repo) askMeant(name string) string {
	names, _ := r.Names() // they only help
	v := version().FindStringSubmatch(name)
	if v == nil {
		return suggest.Question("Did you mean %q?", name, names)
	}
	var same []string // the tags of several libraries
	last := ""
	for _, tag := range names {
		if !strings.HasPrefix(tag, tagStart) && !strings.Contains(tag, "/"+tagStart) {
			continue
		}
		last = tag
		if strings.HasSuffix(tag, tagStart+v[1]) {
			same = append(same, strconv.Quote(tag))
		}
	}
	switch {
	case len(same) > 0:
		return "Did you mean " + strings.Join(same[:min(len(same), 3)], " or ") + "?"
	case last != "":
		return fmt.Sprintf("The tag of a release is named like %q", last)
	}
	return ""
}

// fetchAdvice says how to fetch what a name can mean on the server. It is "" if there is no
// server.
func (r *Repo) fetchAdvice(name string) string {
	fetch := func(from, to string) string {
		return "\"git fetch origin " + sanitize.ShellWord("+"+from+":"+to) + "\""
	}
	_, isHash := objects.ParseHash(name)
	branch, isFetched := strings.CutPrefix(strings.TrimPrefix(name, "refs/remotes/"), "origin/")
	switch {
	case !r.hasOrigin:
		return ""
	case isHash:
		return "If the server has this commit, run \"git fetch origin " + name + "\""
	case isFetched:
		return "If the server has this branch, run " + fetch(branchRefs+branch, fetchedRefs+branch)
	case strings.HasPrefix(name, "refs/"):
		return "If the server has it, run " + fetch(name, name)
	}
	return "If it is a tag of the server, run \"" + FetchTags + "\". If it is a branch there, run " +
		fetch(branchRefs+name, fetchedRefs+name) + " and write origin/" + name
}

// suffix matches what can follow a name: steps such as "~", "^", "~3", or "^3".
var (
	suffix     = lazy.Expr(`^(?:[~^][0-9]{0,9})*$`)
	suffixStep = lazy.Expr(`([~^])([0-9]*)`)
)

// step goes from a commit to its n-th parent ('^'; 0 is itself), or n times to
// the first parent ('~').
func (r *Repo) step(at Commit, kind string, n int) (Commit, error) {
	if kind == "^" {
		switch {
		case n == 0:
			return at, nil
		case n > len(at.Parents):
			return Commit{}, &RevisionError{
				Reason: fmt.Sprintf("commit %.12s has no parent number %d; it has %d", at.Hash, n, len(at.Parents)),
			}
		}
		return r.parent(at, n-1)
	}
	for i := range n {
		if len(at.Parents) == 0 {
			return Commit{}, &RevisionError{
				Reason: fmt.Sprintf("the history ends %d commits too early, at commit %.12s", n-i, at.Hash),
			}
		}
		var err error
		if at, err = r.parent(at, 0); err != nil {
			return Commit{}, err
		}
	}
	return at, nil
}

// parent reads the i-th parent of c, starting from 0.
func (r *Repo) parent(c Commit, i int) (Commit, error) {
	h, _ := objects.ParseHash(c.Parents[i])
	return r.commit(h)
}

// lookup finds the commit of a name without ~ and ^. An ambiguous name is a
// *RevisionError: Git would pick one meaning with a warning, so the author of a tag
// could decide what others compare with. For the same reason, a branch or a tag whose
// name looks like a short hash requires its full name.
func (r *Repo) lookup(name string) (Commit, error) {
	if h, ok := objects.ParseHash(name); ok {
		return r.lookupHash(h) // never a name, as in Git
	}
	var found []string
	for _, full := range []string{
		name, "refs/" + name, tagRefs + name, branchRefs + name, "refs/remotes/" + name,
		"refs/remotes/" + name + "/HEAD",
	} {
		if full == name && !validRef(name) {
			continue
		}
		if _, err := r.refs.read(full); err == nil {
			found = append(found, full)
		} else if !errors.Is(err, errNoRef) {
			return Commit{}, err
		}
	}
	short := len(name) >= 4 && strings.Trim(name, "0123456789abcdefABCDEF") == ""
	switch {
	case len(found) == 0 && short:
		return r.lookupShort(strings.ToLower(name))
	case len(found) == 0:
		return Commit{}, errNoRef
	case found[0] == "HEAD":
		return r.Head()
	case !short && (len(found) == 1 || found[0] == name): // a full name means itself
		return r.lookupRef(found[0])
	}
	return Commit{}, r.ambiguityError(name, found, short)
}

// ambiguityError returns the error for a name that can mean any of the full names, or the
// commits whose hash starts with it.
func (r *Repo) ambiguityError(name string, names []string, short bool) error {
	e := &RevisionError{Reason: "it is ambiguous; use one of the full names:", Candidates: names}
	if short {
		e.Reason = "it is a name that looks like a short hash; use the full name or more digits of the hash:"
		hashes, err := r.objects.WithPrefix(strings.ToLower(name))
		if err != nil {
			return err
		}
		for _, h := range hashes {
			e.Candidates = append(e.Candidates, h.String())
		}
	}
	e.Reason += "\n  " + strings.Join(e.Candidates, "\n  ")
	return e
}

func (r *Repo) lookupRef(name string) (Commit, error) {
	h, _, err := r.refs.resolve(name)
	if err != nil {
		return Commit{}, err
	}
	return r.peel(h)
}

// lookupHash finds the commit of a full hash. A hash from a user that the repository
// doesn't have is a wrong name, not damage.
func (r *Repo) lookupHash(h objects.Hash) (Commit, error) {
	c, err := r.peel(h)
	if e, ok := errors.AsType[*objects.Error](err); ok && e.Missing && e.Hash == h.String() {
		return Commit{}, errNoRef
	}
	return c, err
}

// lookupShort finds the commit of a short hash. Like Git, it ignores files and folders
// whose hash starts the same.
func (r *Repo) lookupShort(prefix string) (Commit, error) {
	hashes, err := r.objects.WithPrefix(prefix)
	if err != nil {
		return Commit{}, err
	}
	var commits []Commit
	ambiguous := &RevisionError{Reason: "the short hash is ambiguous; add more digits:"}
	for _, h := range hashes {
		c, err := r.peel(h)
		if errors.Is(err, errNotACommit) {
			continue
		} else if err != nil {
			return Commit{}, err
		}
		commits = append(commits, c)
		ambiguous.Candidates = append(ambiguous.Candidates, h.String())
		ambiguous.Reason += fmt.Sprintf("\n  %s of %s", h, c.When.Format("2006-01-02"))
	}
	switch {
	case len(hashes) == 0:
		return Commit{}, errNoRef
	case len(commits) == 0:
		return Commit{}, errNotACommit
	case len(commits) == 1:
		return commits[0], nil
	}
	return Commit{}, ambiguous
}
