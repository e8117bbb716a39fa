package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/node/kubelet"
)

// The apiVersion and kind of a Scenario document.
const (
	scenarioVersion = "rollplay/v1alpha1"
	scenarioKind    = "Scenario"
)

// specReader reads a Scenario document as strictly as the API server reads its own objects, with errors in the same words.
type specReader struct {
	scenario *Scenario
	first    *document // nil until there is one
	doc      *document
	nodes    bool // the scenario has nodes of its own
	late     bool // a warning says already that a command comes after the end
	collected
}

// fields maps the names of an object's fields to the readers of their values. Null is not read.
type fields map[string]func(path string, v any)

// document reads the one Scenario of a text.
func (r *specReader) document(d *document) {
	r.doc = d
	if r.first != nil {
		r.add(d.at("", "kind", fmt.Sprintf("a text has one Scenario; the first is document %d", r.first.Number)))
		return
	}
	r.first = d
	s := r.scenario
	r.kind(d, fields{
		"title": r.inWords(&s.Title), "question": r.inWords(&s.Question),
		"lesson": func(path string, v any) { // in English it is the comment that opens the text
			r.object(path, v, fields{"zh": r.text(&s.Lesson.Zh)})
		},
		"fields": r.textList(&s.Fields), "links": r.list(r.link),
		"seed": r.seed, "draws": r.draws, "version": r.version, "clientConnection": r.clientConnection, "duration": r.duration(&s.Duration),
		"nodes": r.readNodes, "nodeGroups": r.list(r.nodeGroup),
		"images": r.list(r.image), "load": r.list(r.load), "traffic": r.list(r.traffic), "timeline": r.listOf(limits.Commands, r.command),
		"captions": r.list(r.caption), "expect": r.expects(&s.Expects), "goal": r.listOf(limits.Goals, r.goal),
		"try": r.try,
	})
	sort.SliceStable(s.Timeline, func(i, j int) bool { return s.Timeline[i].At < s.Timeline[j].At })
	sort.SliceStable(s.Load, func(i, j int) bool { return s.Load[i].At < s.Load[j].At })
	sort.SliceStable(s.Captions, func(i, j int) bool { return s.Captions[i].At < s.Captions[j].At })
}

// kind reads a document of one of rollplay's kinds: its name and its spec. The other fields of an object's metadata have no effect.
func (r *specReader) kind(d *document, spec fields) {
	ignore := func(string, any) {}
	r.object("", d.value, fields{
		"apiVersion": ignore,
		"kind":       ignore,
		"metadata": func(path string, v any) {
			r.object(path, v, fields{"name": r.text(&r.scenario.Name), "namespace": ignore, "labels": ignore, "annotations": ignore})
		},
		"spec": func(path string, v any) { r.object(path, v, spec) },
	})
}

// complain reports what is wrong with a field.
func (r *specReader) complain(path, what string) { r.add(r.doc.at("", path, path+": "+what)) }

// invalid reports a value, printed as the API server prints it.
func (r *specReader) invalid(path string, v any, why string) {
	r.complain(path, fmt.Sprintf("Invalid value: %s: %s", api.JSON(v), why))
}

func (r *specReader) required(path string) { r.complain(path, "Required value") }

// forbidden reports a field that another one excludes.
func (r *specReader) forbidden(path, beside string) {
	r.add(r.doc.mark("", path, path+": Forbidden: may not be specified when `"+beside+"` is set", true))
}

// object reads the fields of an object, of which some are required, and returns them; nil if the value is no object.
func (r *specReader) object(path string, v any, known fields, required ...string) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		r.invalid(path, v, "must be an object with the fields "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		read, p := known[name], joinPath(path, name)
		switch {
		case read == nil:
			r.add(r.doc.issue("", decode.Issue{Path: p, Message: "unknown field " + strconv.Quote(p), Unknown: true,
				Near: api.Nearest(name, slices.Collect(maps.Keys(known)))}))
		case m[name] != nil:
			read(p, m[name])
		}
	}
	r.requiredOf(path, m, required...)
	return m
}

func (r *specReader) list(item func(path string, v any)) func(string, any) {
	return r.listOf(limits.Entries, item)
}

// listOf reads the items of a list that has at most a number of them.
//
// It and the other readers of values are not inlined: each use would be a function of its own, 140 kB in all of app.wasm.
//
//go:noinline
func (r *specReader) listOf(most int, item func(path string, v any)) func(string, any) {
	return func(path string, v any) {
		l, ok := v.([]any)
		if !ok {
			r.invalid(path, v, "must be a list")
			return
		}
		if len(l) > most {
			r.add(r.doc.at("", path+"["+strconv.Itoa(most)+"]", fmt.Sprintf("%s: Too many: %d: must have at most %d items", path, len(l), most)))
			return
		}
		for i, e := range l {
			breath.Take()
			if item(path+"["+strconv.Itoa(i)+"]", e); len(r.diagnostics) >= limits.Problems {
				return
			}
		}
	}
}

//go:noinline
func (r *specReader) text(to *string) func(string, any) {
	return func(path string, v any) {
		s, ok := v.(string)
		if !ok {
			r.invalid(path, v, "must be a text; write it in quotes")
			return
		}
		*to = s
	}
}

func (r *specReader) textList(to *[]string) func(string, any) {
	return r.list(func(path string, v any) {
		var s string
		r.text(&s)(path, v)
		*to = append(*to, s)
	})
}

// texts reads an object whose values are texts.
//
//go:noinline
func (r *specReader) texts(to *map[string]string) func(string, any) {
	return func(path string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			r.invalid(path, v, "must be an object of texts")
		}
		*to = make(map[string]string, len(m))
		for _, k := range slices.Sorted(maps.Keys(m)) {
			var s string
			r.text(&s)(path+"["+k+"]", m[k])
			(*to)[k] = s
		}
	}
}

// number reads a whole number from low to high.
//
//go:noinline
func (r *specReader) number(low, high int64, to func(int64)) func(string, any) {
	return func(path string, v any) {
		number, ok := v.(json.Number)
		n, err := strconv.ParseInt(number.String(), 10, 64)
		if !ok || err != nil || n < low || n > high {
			r.invalid(path, v, fmt.Sprintf("must be a whole number from %d to %d", low, high))
			return
		}
		to(n)
	}
}

// clientConnection reads the limits of kube-controller-manager's clients.
func (r *specReader) clientConnection(path string, v any) {
	c := &r.scenario.Clients
	r.object(path, v, fields{
		"qps":   r.number(0, 100_000, func(n int64) { c.QPS = n }),
		"burst": r.number(1, 100_000, func(n int64) { c.Burst = n }),
	})
}

func (r *specReader) seed(path string, v any) {
	number, ok := v.(json.Number)
	n, err := strconv.ParseUint(number.String(), 10, 64)
	if !ok || err != nil {
		r.invalid(path, v, "must be a whole number from 0 to 18446744073709551615")
		return
	}
	r.scenario.Seed = n
}

// draws reads whether a random number depends on the draws before it, which is the default, or on its purpose.
func (r *specReader) draws(path string, v any) {
	s, _ := v.(string)
	if r.scenario.Keyed = s == "keyed"; !r.scenario.Keyed && s != "ordered" {
		r.invalid(path, v, "must be ordered (each draw takes the next number of the seed, the default) "+
			"or keyed (each depends on the workload, revision and pod it is for)")
	}
}

// version reads which version of Kubernetes is simulated: "1.36". In YAML it needs quotes, since 1.40 would be 1.4 without.
func (r *specReader) version(path string, v any) {
	s, ok := word(v)
	minor, err := strconv.Atoi(strings.TrimPrefix(s, "1."))
	if !ok || err != nil || !strings.HasPrefix(s, "1.") || minor < apiserver.MinorOldest || minor > apiserver.MinorLatest {
		r.invalid(path, v, fmt.Sprintf("must be a version of Kubernetes from 1.%d to 1.%d, in quotes",
			apiserver.MinorOldest, apiserver.MinorLatest))
		return
	}
	r.scenario.Minor = minor
}

// word returns a duration or the like as it was written. A number needs a unit, which the parser of the text says.
func word(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

//go:noinline
func (r *specReader) duration(to *int64) func(string, any) {
	return func(path string, v any) {
		s, _ := word(v)
		ms, err := ParseDuration(s)
		if err != nil {
			r.invalid(path, v, err.Error())
			return
		}
		*to = ms
	}
}

// durations reads a range of durations. A word that means something else than a duration is given to the second reader.
//
//go:noinline
func (r *specReader) durations(to **kubelet.Range, other string, otherwise func()) func(string, any) {
	return func(path string, v any) {
		s, _ := word(v)
		if other != "" && s == other {
			otherwise()
			return
		}
		x, err := parseRange(s)
		if err != nil {
			why := err.Error()
			if other != "" && err == errDuration {
				why += "; a range of two: 1s..3s; or " + other
			}
			r.invalid(path, v, why)
			return
		}
		*to = x
	}
}

// image reads how the containers of an image behave.
func (r *specReader) image(path string, v any) {
	var b ImageBehaviour
	exitCode := false
	if r.object(path, v, fields{
		"match":    r.text(&b.Match),
		"pull":     r.durations(&b.Pull, "fails", func() { b.PullFails = true }),
		"start":    r.durations(&b.Start, "", nil),
		"ready":    r.durations(&b.Ready, "never", func() { b.NeverReady = true }),
		"stop":     r.durations(&b.Stop, "", nil),
		"crash":    r.durations(&b.CrashAfter, "", nil),
		"gate":     r.durations(&b.Gate, "", nil),
		"exitCode": r.number(0, 255, func(n int64) { b.ExitCode, exitCode = int32(n), true }),
	}) == nil {
		return
	}
	if b.Match == "" {
		r.required(path + ".match")
	}
	switch {
	case exitCode && b.CrashAfter == nil:
		r.invalid(path+".exitCode", b.ExitCode, "may only be set together with `crash`")
	case !exitCode && b.CrashAfter != nil:
		b.ExitCode = 1
	}
	r.scenario.Images = append(r.scenario.Images, b)
}

// command reads an entry of the timeline. kubectl or the environment validates the command when it runs.
func (r *specReader) command(path string, v any) {
	var c Command
	m := r.object(path, v, fields{"at": r.duration(&c.At), "run": r.text(&c.Run), "apply": r.text(&c.Apply), "do": r.text(&c.Do)})
	if m == nil {
		return
	}
	c.Run, c.Do = strings.TrimSpace(c.Run), strings.TrimSpace(c.Do)
	var set []string
	for _, name := range [...]string{"run", "apply", "do"} {
		if m[name] != nil {
			set = append(set, name)
		}
	}
	switch {
	case m["at"] == nil:
		r.required(path + ".at")
	case len(set) > 1:
		r.forbidden(path+"."+set[1], set[0])
	case len(set) == 0:
		r.add(r.doc.at("", path+".run", path+": Required value: one of `run`, `apply` and `do` must be set"))
	case c.Run+strings.TrimSpace(c.Apply)+c.Do == "":
		r.required(path + "." + set[0])
	case strings.Contains(c.Run+c.Do, "\n"):
		r.invalid(path+"."+set[0], c.Run+c.Do, "must be one line; write one entry for each command")
	}
	r.warnLate(path+".at", c.At)
	r.scenario.Timeline = append(r.scenario.Timeline, c)
}

// warnLate warns of the first command after the end of the scenario. The duration is known here, because fields are read in the
// order of the alphabet.
func (r *specReader) warnLate(path string, at int64) {
	if end := r.scenario.Duration; r.late || end == 0 || at <= end {
		return
	}
	r.late = true
	r.add(r.doc.warn("", path, path+": it never happens, because the scenario ends before; give it a longer `duration`"))
}
