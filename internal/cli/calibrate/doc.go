// Package calibrate has the commands that measure judges.
package calibrate
