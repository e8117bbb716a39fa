package api

import "strings"

// What follows is for kubectl, which looks at some words itself before it asks the API server. Each function returns what
// is wrong with a word in the API server's sentences, "" if nothing is.

// CheckLabelKey looks at the key of a label or an annotation.
func CheckLabelKey(key string) string { return strings.Join(checkKey(key), "; ") }

// CheckLabelValue looks at the value of a label.
func CheckLabelValue(value string) string { return strings.Join(checkLabelValue(value), "; ") }

// CheckEnvName looks at the name of an environment variable.
func CheckEnvName(name string) string { return strings.Join(checkEnvName(name), "; ") }
