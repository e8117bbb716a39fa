package validate

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
)

// The functions of this file return the problems of a name, a label and so on, in the API server's sentences. They are
// written by hand, so that no pattern has to be compiled when the page starts.

const (
	labelForm     = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
	subdomainForm = labelForm + `(\.` + labelForm + ")*"
	keyForm       = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
	keySentence   = "must consist of alphanumeric characters, '-', '_' or '.', " + endsSentence
	endsSentence  = "and must start and end with an alphanumeric character"
	percentForm   = "[0-9]+%"
)

// formSentence returns a sentence with examples and the pattern, punctuated as the API server does.
func formSentence(sentence, form string, examples ...string) string {
	for i, e := range examples {
		examples[i] = "'" + e + "', "
	}
	return sentence + " (e.g. " + strings.Join(examples, " or ") + "regex used for validation is '" + form + "')"
}

func maxLength(n int, unit string) string {
	return "must be no more than " + strconv.Itoa(n) + " " + unit
}

const (
	digits = "0123456789"
	small  = "abcdefghijklmnopqrstuvwxyz"
	lower  = digits + small
	alnum  = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// consists says whether all of s is among some characters or the extra ones, and its ends are among the first.
func consists(s, of, extra string) bool {
	breath.Often() // an object may have thousands of names
	return s != "" && strings.Trim(s, of+extra) == "" && strings.Trim(s[:1]+s[len(s)-1:], of) == ""
}

func isLabel(s string) bool { return consists(s, lower, "-") }

func isSubdomain(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isLabel(part) {
			return false
		}
	}
	return true
}

// checkLabelName is for names of containers, volumes and namespaces.
func checkLabelName(s string) (wrong []string) {
	if len(s) > 63 {
		wrong = append(wrong, maxLength(63, "characters"))
	}
	switch {
	case isLabel(s):
	case isSubdomain(s):
		wrong = append(wrong, "must not contain dots")
	default:
		wrong = append(wrong, formSentence("a lowercase RFC 1123 label must consist of lower case alphanumeric characters "+
			"or '-', "+endsSentence, labelForm, "my-name", "123-abc"))
	}
	return wrong
}

// checkSubdomain is for names of most objects.
func checkSubdomain(s string) (wrong []string) {
	if len(s) > 253 {
		wrong = append(wrong, maxLength(253, "characters"))
	}
	if !isSubdomain(s) {
		wrong = append(wrong, formSentence("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "+
			"characters, '-' or '.', "+endsSentence, subdomainForm, "example.com"))
	}
	return wrong
}

// checkPathSegment is for names of objects that nothing else is named after.
func checkPathSegment(s string) (wrong []string) {
	if s == "." || s == ".." {
		return []string{"may not be '" + s + "'"}
	}
	for _, c := range []string{"/", "%"} {
		if strings.Contains(s, c) {
			wrong = append(wrong, "may not contain '"+c+"'")
		}
	}
	return wrong
}

// checkKey is for keys of labels and annotations and for names of resources: an optional subdomain, a slash, a name.
func checkKey(s string) (wrong []string) {
	prefix, name, slash := strings.Cut(s, "/")
	form := func(start string) string {
		return formSentence(start+keySentence, keyForm, "MyName", "my.name", "123-abc")
	}
	switch {
	case strings.Contains(name, "/"):
		return []string{form("a valid label key ") + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}
	case !slash:
		name = prefix
	case prefix == "":
		wrong = append(wrong, "prefix part must be non-empty")
	default:
		for _, w := range checkSubdomain(prefix) {
			wrong = append(wrong, "prefix part "+w)
		}
	}
	switch {
	case name == "":
		wrong = append(wrong, "name part must be non-empty")
	case len(name) > 63:
		wrong = append(wrong, "name part "+maxLength(63, "bytes"))
	}
	if !consists(name, alnum, "-_.") {
		wrong = append(wrong, form("name part "))
	}
	return wrong
}

func checkLabelValue(s string) (wrong []string) {
	if len(s) > 63 {
		wrong = append(wrong, maxLength(63, "bytes"))
	}
	if s != "" && !consists(s, alnum, "-_.") {
		wrong = append(wrong, formSentence("a valid label must be an empty string or consist of alphanumeric "+
			"characters, '-', '_' or '.', "+endsSentence, "("+keyForm+")?", "MyValue", "my_value", "12345"))
	}
	return wrong
}

// checkPercent is for maxSurge and maxUnavailable (D-12).
func checkPercent(s string) (wrong []string) {
	number, ok := strings.CutSuffix(s, "%")
	if !ok || !consists(number, digits, "") {
		wrong = append(wrong, formSentence("a valid percent string must be a numeric string followed by an ending '%'",
			percentForm, "1%", "93%"))
	}
	return wrong
}

func checkPort(n int64) (wrong []string) {
	if n < 1 || n > 65535 {
		wrong = append(wrong, "must be between 1 and 65535, inclusive")
	}
	return wrong
}

func checkPortName(s string) (wrong []string) {
	for _, rule := range [...]struct {
		broken   bool
		sentence string
	}{
		{len(s) > 15, maxLength(15, "characters")},
		{s == "" || strings.Trim(s, lower+"-") != "", "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"},
		{!strings.ContainsAny(s, small), "must contain at least one letter (a-z)"},
		{strings.Contains(s, "--"), "must not contain consecutive hyphens"},
		{strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-"), "must not begin or end with a hyphen"},
	} {
		if rule.broken {
			wrong = append(wrong, rule.sentence)
		}
	}
	return wrong
}

func checkHeader(s string) (wrong []string) {
	if !consists(s, alnum+"-", "") {
		wrong = append(wrong, formSentence("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+", "X-Header-Name"))
	}
	return wrong
}

// checkEnvName is for names of environment variables, by the rule that holds since 1.34.
func checkEnvName(s string) (wrong []string) {
	for _, r := range s {
		if r < ' ' || r > '~' || r == '=' {
			return []string{"a valid environment variable name must consist only of printable ASCII characters other than '='"}
		}
	}
	return nil
}

// kubectl checks some words itself before it sends a request. These functions return the problem of a word, "" for a
// valid word.

// LabelKey checks the key of a label or an annotation.
func LabelKey(key string) string { return strings.Join(checkKey(key), "; ") }

// LabelValue checks the value of a label.
func LabelValue(value string) string { return strings.Join(checkLabelValue(value), "; ") }

// DataKey returns the problems of a key of a ConfigMap or a Secret, which may become the name of a file.
func DataKey(key string) (wrong []string) {
	if len(key) > 253 {
		wrong = append(wrong, maxLength(253, "bytes"))
	}
	if !consists(key, alnum+"-_.", "") {
		wrong = append(wrong, formSentence("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", "[-._a-zA-Z0-9]+",
			"key.name", "KEY_NAME", "key-name"))
	}
	return append(wrong, ChangesFolder(key)...)
}

// ChangesFolder returns why a text is no name of a file in a folder.
func ChangesFolder(name string) []string {
	switch {
	case name == ".", name == "..":
		return []string{"must not be '" + name + "'"}
	case strings.HasPrefix(name, ".."):
		return []string{"must not start with '..'"}
	}
	return nil
}
