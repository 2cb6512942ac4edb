// Package author has the commands that edit a library.
package author
