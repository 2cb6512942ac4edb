package holdings

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Releases knows which versions the releases of a library carried: those in the commits of its
// release tags and in the first parents of these commits, whether or not the tags count. It
// reads them when it is asked.
type Releases struct {
	repo   *gitrepo.Repo
	folder string

	// nodes are the commits of all tags with their first parents, each after its parent.
	nodes []node
	index map[string]int                // of a commit in nodes
	texts map[releaseKey]map[int]string // the digest of each version at the nodes that add it
	known map[string]bool               // the IDs whose versions are in texts
}

// releaseKey names a version of a document.
type releaseKey struct{ id, version string }

// node is a commit with the index of its first parent, or -1. tagged says that a tag marks it.
type node struct {
	commit gitrepo.Commit
	parent int
	tagged bool
}

// ReleasesOf are the releases of the library in a folder of a repository.
func ReleasesOf(repo *gitrepo.Repo, folder string) *Releases {
	return &Releases{repo: repo, folder: folder, texts: map[releaseKey]map[int]string{}, known: map[string]bool{}}
}

// HasCarried reports whether a tag that does not include a commit carried another text of a version
// than the one with the digest. Of several texts of a version, a release has the last one.
func (r *Releases) HasCarried(id, version, digest, without string) bool {
	added := r.texts[releaseKey{id, version}]
	texts, later := make([]string, len(r.nodes)), make([]bool, len(r.nodes))
	for i, n := range r.nodes {
		text, adds := added[i]
		later[i] = n.commit.Hash == without
		if n.parent >= 0 {
			later[i] = later[i] || later[n.parent]
			if !adds {
				text = texts[n.parent]
			}
		}
		texts[i] = text
		if n.tagged && !later[i] && text != "" && text != digest {
			return true
		}
	}
	return false
}

// Read reads the versions of the documents with some IDs.
func (r *Releases) Read(ids []string) error {
	unknown := slices.DeleteFunc(ids, func(id string) bool { return r.known[id] })
	if len(unknown) == 0 {
		return nil
	}
	if err := r.readTags(); err != nil {
		return err
	}
	read := ReadingOf(unknown...)
	for i, n := range r.nodes {
		parent := &gitrepo.Snapshot{} // before a root, there is nothing
		if n.parent >= 0 {
			parent = r.documents(r.nodes[n.parent].commit)
		}
		p, err := passage(r.repo, parent, r.documents(n.commit), library.Root)
		if err != nil {
			return err
		}
		for _, c := range p.AddedContents() {
			e, err := read.Edition(c)
			if err != nil {
				return err
			}
			if e != nil {
				r.add(e, i)
			}
		}
	}
	maps.Copy(r.known, read.wanted)
	return nil
}

// readTags finds the commits of the tags and their first parents.
func (r *Releases) readTags() error {
	if r.index != nil {
		return nil
	}
	tagged, err := r.repo.ReleasedCommits(r.folder)
	if err != nil {
		return err
	}
	index := map[string]int{}
	for _, tag := range tagged {
		met := func(c gitrepo.Commit) bool { _, known := index[c.Hash]; return known }
		line, err := r.repo.Line(tag, met)
		if err != nil {
			return err
		}
		parent := -1
		for _, c := range line {
			i, known := index[c.Hash]
			if !known {
				i = len(r.nodes)
				index[c.Hash] = i
				r.nodes = append(r.nodes, node{commit: c, parent: parent})
			}
			parent = i
		}
		r.nodes[parent].tagged = true
	}
	r.index = index
	return nil
}

// LibraryAt is the library in a commit.
func (r *Releases) LibraryAt(c gitrepo.Commit) (*Library, error) { return At(r.repo, c, r.folder) }

func (r *Releases) documents(c gitrepo.Commit) *gitrepo.Snapshot {
	return r.repo.Snapshot(c, r.folder).Subfolder(library.Root)
}

// add adds a version that a node has and its parent does not have.
func (r *Releases) add(e *Edition, at int) {
	k := releaseKey{e.ID, e.Version}
	if r.texts[k] == nil {
		r.texts[k] = map[int]string{}
	}
	r.texts[k][at] = e.Digest
}
