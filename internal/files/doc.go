// Package files groups packages that read and write files safely, with a size limit for
// each kind of file and without ever leaving a partially written file, that run child
// processes, and that know the files of the hosts of Git repositories. They import nothing of
// the project.
package files
