package kubectl

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// mutation breaks an answer of ours. The judge must notice it on every line that it changes.
type mutation struct {
	name   string
	change func(a *realkubectl.Answer)
}

// mutations are the ways in which our kubectl could be wrong.
var mutations = slices.Concat([]mutation{
	{"every success becomes a refusal", succeeds("", refuse("error: rollplay does not model the flag --foo of \"kubectl get\"; it models --namespace"))},
	{"every success becomes a refusal of a shell", succeeds("", refuse("error: rollplay is not a shell: it has no pipe | to another program"))},
	{"every write exceeds a quota", writes(refuse(`Error from server (Forbidden): pods "web-1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=30, limited: pods=30`))},
	{"every -f - is refused", succeeds(`-f -`, refuse("error: document 1, line 1: spec.replicas: Invalid value"))},
	{"every -f - is not found", succeeds(`-f -`, refuse(`Error from server (NotFound): deployments.apps "web" not found`))},
	{"no output", text(``, func([]string) []string { return nil })},
	{"the last line is missing", text(``, func(l []string) []string { return l[:len(l)-1] })},
	{"the first line is missing", text(``, func(l []string) []string { return l[1:] })},
	{"one line more", text(``, func(l []string) []string { return append(l, "pod/one-more created") })},
	{"the last line twice", text(``, func(l []string) []string { return append(l, l[len(l)-1]) })},
	{"lines reversed", text(``, reversed)},
	{"describe reversed", text(`^describe`, reversed)},
	{"events reversed", text(`^events|^get (ev|events)\b`, below)},
	{"the events of describe reversed", text(`^describe`, func(l []string) []string {
		i := slices.IndexFunc(l, func(s string) bool { return strings.HasPrefix(s, "Events:") })
		if i < 0 || i+3 >= len(l) {
			return l
		}
		return append(l[:i+3:i+3], reversed(l[i+3:])...)
	})},
	{"--sort-by reversed", text(`--sort-by`, below)},
	{"two lines swapped", text(``, func(l []string) []string {
		if len(l) > 3 {
			l[1], l[2] = l[2], l[1]
		}
		return l
	})},
	{"newlines dropped from jsonpath", text(`jsonpath`, func(l []string) []string { return []string{strings.Join(l, "")} })},
	{"two columns swapped", text(`^get `, each(regexp.MustCompile(`^(\S+)(\s+)(\S+)`), `$3$2$1`))},
	{"the last column is missing", text(`^get .*wide|^events`, each(regexp.MustCompile(`\s+\S+$`), ``))},
	{"a column too wide", text(`^get |^describe`, each(regexp.MustCompile(`   `), `    `))},
	{"plural s", text(``, each(regexp.MustCompile(`s\b`), ``))},
	{"the first number one higher", text(``, first(regexp.MustCompile(`\d+`), more))},
	{"the last number one higher", text(``, last(regexp.MustCompile(`\d+`), more))},
	{"ages one second more", text(`^get |^events|^describe`, each(regexp.MustCompile(`\b1(\d*)s\b`), `2${1}s`))},
	{"times a second later", text(`-o ?(yaml|json)|^describe`, each(regexp.MustCompile(`:(\d)0Z`), `:${1}1Z`))},
	{"true for false", text(``, each(regexp.MustCompile(`\bfalse\b`), `true`))},
	{"one for zero", text(``, each(regexp.MustCompile(`\b0\b`), `1`))},
	{"another letter case", text(``, each(regexp.MustCompile(`\bE`), `e`))},
	{"quotation marks dropped", text(``, each(regexp.MustCompile(`"`), ``))},
	{"NotFound becomes Forbidden", text(``, each(regexp.MustCompile(`NotFound`), `Forbidden`))},
	{"the note of a dry run is missing", text(`dry-run`, each(regexp.MustCompile(` \((server )?dry run\)`), ``))},
	{"warnings are missing", text(``, without(`^Warning: `))},
	{"empty lines are missing", text(``, without(`^$`))},
	{"a field of YAML is missing", text(`-o ?yaml`, without(`^ +(generation|name|replicas): `))},
	{"a field of JSON is missing", text(`-o ?json$`, without(`^ +"(generation|name|replicas)": `))},
	{"a status is missing", text(`-o ?yaml`, func(l []string) []string {
		if i := slices.Index(l, "status:"); i > 0 {
			return l[:i]
		}
		return l
	})},
	{"a request is not logged", text(` --?v`, without(`^I.*verb="GET"`))},
	{"a request for more objects", text(` --?v`, each(regexp.MustCompile(`limit=500`), `limit=1000`))},
	{"a request with another status", text(` --?v`, each(regexp.MustCompile(`404 Not Found|400 Bad Request`), `200 OK`))},
	{"a request in another namespace", text(` --?v`, each(regexp.MustCompile(`/namespaces/default/`), `/`))},
	{"the answer to a request is not logged", text(` --?v`, without(`^I.*helpers\.go|^ +"(kind|metadata|status|code)":`))},
	{"everything to stderr", func(a *realkubectl.Answer) {
		if a.Lines == nil {
			a.Stderr = a.Text
		}
	}},
	{"everything to stdout", func(a *realkubectl.Answer) { a.Stderr = "" }},
	{"exit code 1 for 0", func(a *realkubectl.Answer) {
		if a.Code == 0 {
			a.Code = 1
		}
	}},
	{"exit code 0 for 1", func(a *realkubectl.Answer) {
		if a.Code == 1 {
			a.Code = 0
		}
	}},
	{"never ends", func(a *realkubectl.Answer) { a.Code = realkubectl.Running }},
}, mutationsOfObjects, mutationsOfStreams)

var mutationsOfObjects = []mutation{
	{"all writes are lost", func(a *realkubectl.Answer) { clear(a.Changed) }},
	{"one write is lost", func(a *realkubectl.Answer) {
		if len(a.Changed) > 1 {
			delete(a.Changed, slices.Min(slices.Collect(maps.Keys(a.Changed))))
		}
	}},
	{"one write more", func(a *realkubectl.Answer) {
		if a.Changed != nil {
			a.Changed["/pods/default/one-more"] = json.RawMessage(`{"metadata":{"name":"one-more"}}`)
		}
	}},
	{"a refused line writes", func(a *realkubectl.Answer) {
		if a.Code == 1 && a.Changed != nil {
			a.Changed["/deployments.apps/default/web"] = json.RawMessage(`{"spec":{"replicas":9}}`)
		}
	}},
	{"a write deletes", written(func(tree map[string]any) map[string]any { return nil })},
	{"replicas 0 is not written", written(number("replicas", func(n float64) any {
		if n == 0 {
			return nil
		}
		return n
	}))},
	{"replicas one higher", written(number("replicas", func(n float64) any { return n + 1 }))},
	{"generation one higher", objectIn("metadata", number("generation", func(n float64) any { return n + 1 }))},
	{"a label more", objectIn("metadata", func(m map[string]any) map[string]any { m["labels"] = map[string]any{"more": ""}; return m })},
	{"an annotation less", objectIn("metadata", func(m map[string]any) map[string]any { delete(m, "annotations"); return m })},
	{"a deletion a second later", objectIn("metadata", func(m map[string]any) map[string]any {
		if m["deletionTimestamp"] != nil {
			m["deletionTimestamp"] = "2026-01-01T00:59:59Z"
		}
		return m
	})},
	{"a false for nothing", objectIn("spec", func(m map[string]any) map[string]any { m["paused"] = false; return m })},
	{"an empty string for nothing", objectIn("spec", func(m map[string]any) map[string]any { m["serviceName2"] = ""; return m })},
}

var mutationsOfStreams = []mutation{
	{"a stream one line short", stream(func(l []realkubectl.TimedLine) []realkubectl.TimedLine { return l[:len(l)-1] })},
	{"a stream one line longer", stream(func(l []realkubectl.TimedLine) []realkubectl.TimedLine { return append(l, l[len(l)-1]) })},
	{"a stream 100 ms late", stream(shifted(100 * time.Millisecond))},
	{"a stream 100 ms early", stream(shifted(-100 * time.Millisecond))},
	{"the last line of a stream 100 ms late", stream(func(l []realkubectl.TimedLine) []realkubectl.TimedLine {
		l[len(l)-1].At = l[len(l)-1].At.Add(100 * time.Millisecond)
		return l
	})},
	{"two lines of a stream swapped", stream(func(l []realkubectl.TimedLine) []realkubectl.TimedLine {
		if len(l) > 1 {
			l[0].Text, l[1].Text = l[1].Text, l[0].Text
		}
		return l
	})},
	{"another word in a stream", stream(func(l []realkubectl.TimedLine) []realkubectl.TimedLine { l[0].Text += "x"; return l })},
	{"a stream is refused", func(a *realkubectl.Answer) {
		if len(a.Lines) > 0 {
			a.Lines = []realkubectl.TimedLine{{At: a.Lines[0].At, Text: "error: rollplay does not model the flag -w"}}
			a.Code, a.Text = 1, "error: rollplay does not model the flag -w\n"
			clear(a.Changed)
		}
	}},
}

// copyOf returns an answer that may be changed.
func copyOf(a realkubectl.Answer) realkubectl.Answer {
	a.Lines, a.Changed = slices.Clone(a.Lines), maps.Clone(a.Changed)
	return a
}

func refuse(message string) func(a *realkubectl.Answer) {
	return func(a *realkubectl.Answer) {
		a.Text, a.Stderr, a.Code = message+"\n", message+"\n", 1
		clear(a.Changed)
	}
}

func succeeds(line string, change func(a *realkubectl.Answer)) func(a *realkubectl.Answer) {
	return func(a *realkubectl.Answer) {
		if a.Code == 0 && a.Lines == nil && matches(line, a.Line) {
			change(a)
		}
	}
}

func writes(change func(a *realkubectl.Answer)) func(a *realkubectl.Answer) {
	return func(a *realkubectl.Answer) {
		if a.Code == 0 && a.Lines == nil && len(a.Changed) > 0 {
			change(a)
		}
	}
}

// text changes the lines that an answer prints; what goes to stderr stays as it is if all of it does.
func text(line string, change func(lines []string) []string) func(a *realkubectl.Answer) {
	return func(a *realkubectl.Answer) {
		if a.Lines != nil || a.Text == "" || !matches(line, a.Line) {
			return
		}
		both := a.Text == a.Stderr
		out := strings.Join(change(strings.Split(strings.TrimSuffix(a.Text, "\n"), "\n")), "\n")
		if out != "" {
			out += "\n"
		}
		if a.Text = out; both {
			a.Stderr = out
		}
	}
}

func reversed(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Reverse(lines)
	return lines
}

// below reverses what is below the headings.
func below(lines []string) []string { return append(lines[:1:1], reversed(lines[1:])...) }

func each(pattern *regexp.Regexp, by string) func([]string) []string {
	return func(lines []string) []string {
		for i := range lines {
			lines[i] = pattern.ReplaceAllString(lines[i], by)
		}
		return lines
	}
}

func more(digits string) string {
	n, _ := strconv.ParseUint(digits, 10, 64)
	return strconv.FormatUint(n+1, 10)
}

func first(pattern *regexp.Regexp, change func(string) string) func([]string) []string {
	return func(lines []string) []string {
		for i, l := range lines {
			if at := pattern.FindStringIndex(l); at != nil {
				lines[i] = l[:at[0]] + change(l[at[0]:at[1]]) + l[at[1]:]
				return lines
			}
		}
		return lines
	}
}

func last(pattern *regexp.Regexp, change func(string) string) func([]string) []string {
	return func(lines []string) []string {
		for i, l := range slices.Backward(lines) {
			if all := pattern.FindAllStringIndex(l, -1); all != nil {
				at := all[len(all)-1]
				lines[i] = l[:at[0]] + change(l[at[0]:at[1]]) + l[at[1]:]
				return lines
			}
		}
		return lines
	}
}

func without(pattern string) func([]string) []string {
	return func(lines []string) []string {
		return slices.DeleteFunc(lines, func(l string) bool { return matches(pattern, l) })
	}
}

// written changes each object that is written.
func written(change func(tree map[string]any) map[string]any) func(a *realkubectl.Answer) {
	return func(a *realkubectl.Answer) {
		for key, item := range a.Changed {
			var tree map[string]any
			if json.Unmarshal(item, &tree) != nil || tree == nil {
				continue
			}
			before, _ := json.Marshal(tree)
			after, _ := json.Marshal(change(tree))
			if string(before) != string(after) {
				a.Changed[key] = after
			}
		}
	}
}

func objectIn(field string, change func(map[string]any) map[string]any) func(a *realkubectl.Answer) {
	return written(func(tree map[string]any) map[string]any {
		if m, ok := tree[field].(map[string]any); ok {
			tree[field] = change(m)
		}
		return tree
	})
}

// number changes a number at the top of a tree, or in its spec.
func number(field string, change func(float64) any) func(map[string]any) map[string]any {
	return func(tree map[string]any) map[string]any {
		m := tree
		if spec, ok := tree["spec"].(map[string]any); ok {
			m = spec
		}
		if n, ok := m[field].(float64); ok {
			if m[field] = change(n); m[field] == nil {
				delete(m, field)
			}
		}
		return tree
	}
}

func stream(change func([]realkubectl.TimedLine) []realkubectl.TimedLine) func(a *realkubectl.Answer) {
	return func(a *realkubectl.Answer) {
		if len(a.Lines) == 0 {
			return
		}
		a.Lines = change(a.Lines)
		a.Text = ""
		for _, l := range a.Lines {
			a.Text += l.Text + "\n"
		}
	}
}

func shifted(by time.Duration) func([]realkubectl.TimedLine) []realkubectl.TimedLine {
	return func(lines []realkubectl.TimedLine) []realkubectl.TimedLine {
		for i := range lines {
			lines[i].At = lines[i].At.Add(by)
		}
		return lines
	}
}
