// Package site generates a static site from a library: pages for people, JSON and an
// Atom feed for programs, and the bundle for download.
//
// It promises:
//
//   - The same library and options give the same bytes.
//   - The pages work from a web server and from a local folder, without requests to
//     other sites. Without JavaScript, all texts are readable and all documents reachable.
//   - Text of a document is never executed. Templates escape it, and the content
//     security policy of each page allows only scripts that are files of the site, and a
//     worker made from them.
//   - Pages compute verdicts and scores with the released client of the library, which
//     passes the conformance vectors.
//   - No file is overwritten or removed. The folder has the complete site, or is as it was.
package site
