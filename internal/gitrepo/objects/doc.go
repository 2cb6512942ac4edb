// Package objects reads the objects of a Git repository from its packs and its files: each by its
// hash, against which it is checked, and of at most the size that the caller allows. What can't be
// read is an *Error, never an absence.
//
// It reads them itself, because go-git rejects or misreads what Git writes (packs of git
// maintenance), and loads objects of any size into memory. It knows nothing of branches and folders.
package objects
