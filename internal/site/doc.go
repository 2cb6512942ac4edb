// Package site makes a static site of a library: pages for people, JSON and Atom
// for programs, and the bundle itself.
//
// It promises:
//
//   - The same library and options give the same bytes.
//   - The pages work from a web server and from a folder. They ask nobody for
//     anything, and without JavaScript all texts can be read and all documents found.
//   - No text of a document acts. Templates escape it, and a policy in each page
//     lets no script run that is not a file of the site.
//   - A verdict and a score on a page are computed by the client that the library
//     releases, so they are those of the conformance vectors.
//   - Nothing is written outside the folder, through a link, or over a file that is
//     not the site's; nothing but files of the site before is removed.
//
// It may import the groups that docs/development.md lists below it.
package site
