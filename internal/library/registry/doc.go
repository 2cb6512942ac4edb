// Package registry stores bundles in OCI registries and downloads them.
//
// It promises:
//
//   - The same bundle gives the same manifest, byte for byte, so that the digest of the
//     manifest identifies the bundle. Nothing in it depends on the time, the machine, or
//     the name of the file.
//   - The layer is the file of the bundle, so that other clients of registries download
//     what `rubric verify` accepts.
//   - Only a verified bundle is pushed. A downloaded one agrees with its manifest and its
//     tag; bundlecheck.Verify shows whether it is also valid.
//   - What a registry answers is hostile: its sizes are limited, and its names are never
//     used as paths.
//   - Registries can't compare and swap. Push checks a tag before and after it sets it, but
//     of two pushes at once, the later one can win; docs/serve.md says what holds.
package registry
