// Package serve answers HTTP requests from a library.
//
// It promises:
//
//   - Answers are computed by pkg/library, pkg/rubric, and pkg/ruleset. No model is called.
//   - The OpenAPI document is generated from the table of routes, which the server uses.
//   - A request uses one bundle, also while another replaces it.
//   - Requests are hostile: they are limited, and refused unless they are exactly as the
//     OpenAPI document says. Of their text, only the request ID and the actor are logged.
package serve
