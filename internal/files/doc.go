// Package files groups packages that read and write files safely, with a size limit for
// each kind of file and without ever leaving a partially written file, and that run child
// processes. They import nothing of the project.
package files
