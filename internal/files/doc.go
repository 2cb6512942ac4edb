// Package files groups packages that read and write files safely, with a size limit for
// each kind of file and without ever leaving a partially written file, that run child
// processes, that call the servers which have bundles, that know the files of the hosts of Git
// repositories and comment on their pull requests, and that use all processors. They import
// nothing of the project outside this group.
package files
