// Package words writes numbers the way sentences need them: plurals, verbs, seconds.
//
// Visible writes control characters, bidirectional overrides and invisible formats as escapes. The command's console, posters and
// everything handed to JavaScript pass through it, and the build's copy of go-app calls it wherever it creates a text or a title.
// Traces and links keep the characters.
package words
