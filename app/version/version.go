// Package version holds the version of rollplay. The command and the page show it, so it imports nothing.
package version

// Number is the version of this source tree. A release drops the suffix and moves the Unreleased section of CHANGELOG.md
// under the number.
const Number = "0.6.0-dev"
