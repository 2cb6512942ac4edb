package gitrepo

// Mode is the type of an entry.
type Mode uint8

// The modes of entries. The content of a symbolic link is its target; a submodule has
// no content.
const (
	folderMode Mode = iota // never in an Entry
	Regular
	Executable
	Symlink
	Submodule
)

func (m Mode) String() string {
	return [...]string{"folder", "file", "executable file", "symbolic link", "submodule"}[m]
}

// SnapshotEntry is a file, symbolic link or submodule of a Snapshot.
type SnapshotEntry struct {
	// Path is relative to the snapshot's folder, with slashes. It has the bytes that
	// Git stores: any but the zero byte, in any encoding.
	Path string
	// Hash identifies the content: equal hashes mean equal bytes. That of a submodule
	// is a commit of another repository.
	Hash string
	Mode Mode
}
