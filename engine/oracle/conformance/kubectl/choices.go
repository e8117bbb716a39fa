package kubectl

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// Choice is a difference that stays: our kubectl says something else on purpose. It rewrites the parts of the two outcomes that it
// explains, and only as far as it does: all the rest is compared as ever.
type Choice struct {
	Name, Reason string
	line         string // matches the line that was typed
	words        bool   // it takes the words of ours as they are: only the exit code and what is written are compared
	order        bool   // it permits another order
	rewrite      func(line string, real, ours *outcome)
}

// Choices are all differences that stay, at most 20.
var Choices = []Choice{
	{Name: "line of the manifest", Reason: "what is wrong with a manifest is told with its document and line in front of the server's words",
		line: `-f`, words: true, rewrite: words(sameFaults)},
	{Name: "checked in full", Reason: "a manifest is checked as a whole before anything is done; where both refuse it, kubectl may find an obstacle first",
		line: `-f`, words: true, rewrite: words(otherObstacle)},
	{Name: "additions", Reason: "a hint on a line of its own, behind kubectl's words, and a warning of what is only stored in front of them", rewrite: withoutHints},
	{Name: "order of maps", Reason: "kubectl lists labels, and what .. and .* of a jsonpath find, in no order; ours by their keys",
		line: `^(label|annotate) .*--list|jsonpath.*(\.\.|\.\*)`, order: true, rewrite: inOrder},
	{Name: "order of a drain", Reason: "kubectl tells of the pods of a node, and of what is in the way, in no order; ours by their names",
		line: `^drain`, order: true, rewrite: drained},
	{Name: "lease", Reason: "leases are computed, and no objects; a share of nothing is 0 %", line: `^describe`, rewrite: withoutLeases},
	{Name: "help", Reason: "help tells what is modelled", line: `^help|--help|-h$|^(rollout|set|config|create|auth)$`, words: true,
		rewrite: words(func(line string, real, ours *outcome) bool { return strings.Contains(ours.text, "kubectl ") })},
	{Name: "explain", Reason: "the descriptions of kubectl explain are our own: they say what the simulation does", line: `^explain`, words: true,
		rewrite: words(sameHead)},
	{Name: "types", Reason: "api-resources lists the types that are modelled", line: `^api-resources`, rewrite: fewerTypes},
	{Name: "order of fields", Reason: "some writes print JSON in the order of Go's structures; ours is sorted", line: `^(label|annotate|patch|set|scale|run|create|apply|autoscale|taint|rollout|replace|expose) .*(-o ?json|--output=json)`, order: true,
		rewrite: func(_ string, real, ours *outcome) {
			real.text, ours.text = sortedJSON(real.text), sortedJSON(ours.text)
		}},
	{Name: "empty labels", Reason: "what kubectl keeps of labels that are gone is left out", line: `^(label|annotate) .*-o `,
		rewrite: func(_ string, real, _ *outcome) { real.without(emptyLine) }},
	{Name: "overflow", Reason: "a number that its field has no room for is refused; the server stores what is left of it", line: `\d{10,}`, words: true, rewrite: overflown},
	{Name: "decoder", Reason: "a value of the wrong type is told in the decoder's words, not with the whole object as the server does",
		line: `^patch|^create|^set`, words: true, rewrite: words(func(_ string, real, ours *outcome) bool {
			return bothRefuse(real, ours) && matches(`json: cannot unmarshal|quantities must match`, ours.text) &&
				!matches(`^Error from server \(BadRequest\): json: cannot unmarshal|^error: quantities must match`, real.text)
		})},
	{Name: "status at once", Reason: "what controllers and kubelets fill in a moment later is there at once",
		line: `^(apply|create|replace|diff)`, rewrite: untilStatus},
	{Name: "status by hand", Reason: "the fields of a status in a patch are not read, so that none of them is unknown", line: `^patch .*"status"`,
		rewrite: func(_ string, real, _ *outcome) { real.without(unknownStatus) }},
	{Name: "unseen policy", Reason: "the internalTrafficPolicy of an ExternalName stays in the store, where no client sees it", line: `ExternalName`,
		rewrite: withoutPaths(` spec internalTrafficPolicy$`)},
	{Name: "finalizer of a pod", Reason: "pods own nothing, so that a deletion in the foreground or of orphans leaves no finalizer on them",
		line: `^delete .*--cascade`, rewrite: finalized},
	{Name: "cut", Reason: "an answer of more than a megabyte is cut, and the line of an error after 2000 characters", rewrite: cut},
	{Name: "line of an object", Reason: "what a template makes of an object that is watched is a line of its own, also if the template does not end it",
		line: `(-w|--watch|--watch-only)\b.*-o ?(jsonpath|go-template)|-o ?(jsonpath|go-template).*(-w|--watch|--watch-only)\b`, rewrite: runTogether},
}

// words returns a rewriting that takes ours for the real words where a condition holds.
func words(same func(line string, real, ours *outcome) bool) func(string, *outcome, *outcome) {
	return func(line string, real, ours *outcome) {
		if ours.lines == nil && same(line, real, ours) {
			ours.text, ours.stderr = real.text, real.stderr
		}
	}
}

func bothRefuse(real, ours *outcome) bool { return real.code > 0 && real.code == ours.code }

// without takes lines away.
func (o *outcome) without(pattern *regexp.Regexp) {
	o.text = strings.TrimRight(pattern.ReplaceAllString(o.text+"\n", ""), "\n")
	o.stderr = strings.TrimRight(pattern.ReplaceAllString(o.stderr+"\n", ""), "\n")
}

var (
	emptyLine     = regexp.MustCompile(`(?m)^ *"?(labels|annotations)"?: \{\},?\n`)
	unknownStatus = regexp.MustCompile(`(?m)^Warning: unknown field "status\..*\n`)
	leaseLine     = regexp.MustCompile(`(?m)^Lease:.*\n`)
	hintLine      = regexp.MustCompile(`\nDid you mean (-f - <<EOF, with the manifest as a here-document|[-a-z. /]+)\?\n\z`)
	storedLine    = regexp.MustCompile(`(?m)^Warning: rollplay stores \w+ and does not simulate what they do\n`)
	stepLine      = regexp.MustCompile(`(?m)^\(.+\)\n\z`)
	particular    = regexp.MustCompile(`/[\w/~.-]+|\d+`)
	spaces        = regexp.MustCompile(` +`)
)

func squeezed(text string) string { return spaces.ReplaceAllString(text, " ") }

// withoutHints takes away what ours adds to a refusal, and to what it only stores.
func withoutHints(line string, real, ours *outcome) {
	ours.without(storedLine)
	ours.lines = slices.DeleteFunc(ours.lines, func(l realkubectl.TimedLine) bool { return storedLine.MatchString(l.Text + "\n") })
	if bothRefuse(real, ours) {
		ours.without(hintLine)
		if step := stepLine.FindString(ours.text + "\n"); !slices.ContainsFunc(particular.FindAllString(step, -1), func(word string) bool {
			return !strings.Contains(line, word) // it tells of another step than that of the line
		}) {
			ours.without(stepLine)
		}
	}
}

// withoutPaths returns a rewriting that leaves out what is written to certain paths.
func withoutPaths(pattern string) func(string, *outcome, *outcome) {
	return func(_ string, real, ours *outcome) {
		for _, c := range []changes{real.objects, ours.objects} {
			maps.DeleteFunc(c, func(path, _ string) bool { return matches(pattern, path) })
		}
	}
}

// finalized leaves out the finalizers that the real deletion leaves on pods. Where only that keeps a pod, ours has deleted it.
func finalized(_ string, real, ours *outcome) {
	for path := range cloneOf(real.objects) {
		pod, ok := strings.CutSuffix(path, " metadata finalizers 0")
		if !ok || !strings.HasPrefix(pod, "/pods/") {
			continue
		}
		delete(real.objects, path)
		if ours.objects[pod] == deleted && real.objects[pod+" metadata deletionGracePeriodSeconds"] == "0" {
			delete(ours.objects, pod)
			maps.DeleteFunc(real.objects, func(path, _ string) bool { return strings.HasPrefix(path, pod+" metadata ") })
		}
	}
}

// faultLine is what ours says about a place in a manifest.
var faultLine = regexp.MustCompile(`^error: document \d+, line \d+: (.*)$`)

// faultsOf returns what ours says about the manifest; it is false if ours says anything else.
func faultsOf(text string) (faults []string, ok bool) {
	for line := range strings.Lines(text) {
		m := faultLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			return nil, false
		}
		faults = append(faults, m[1])
	}
	return faults, len(faults) > 0
}

// missingWord matches what ours says of an object without apiVersion or kind.
var missingWord = regexp.MustCompile(`^Object '(\w+)' is missing`)

var lineNumber = regexp.MustCompile(`line \d+`)

// sameFaults says whether both refuse a manifest, and say the same of one field at least.
func sameFaults(_ string, real, ours *outcome) bool {
	faults, ok := faultsOf(ours.text)
	theirs := lineNumber.ReplaceAllString(strings.ReplaceAll(real.text, `\"`, `"`), "line #")
	return ok && bothRefuse(real, ours) && slices.ContainsFunc(faults, func(fault string) bool {
		fault, _, _ = strings.Cut(fault, " (did you mean")
		fault, _, _ = strings.Cut(fault, ": paste ")
		fault = strings.TrimPrefix(lineNumber.ReplaceAllString(fault, "line #"), "strict decoding error: ")
		if m := missingWord.FindStringSubmatch(fault); m != nil {
			return strings.Contains(theirs, "Object '"+m[1]+"' is missing") || strings.Contains(theirs, strings.ToLower(m[1][:1])+m[1][1:]+" not set")
		}
		return strings.Contains(theirs, fault)
	})
}

// obstacles are what kubectl finds before the server looks at a manifest.
var obstacles = regexp.MustCompile(`NotFound|AlreadyExists|field is immutable|when retrieving current configuration|merge key|resource mapping not found|` +
	`resource name may not be empty|invalid object to validate|no objects passed|unable to decode|no kind "|may not add or remove containers|pod updates may not|namespace|not set|failed to allocate|already allocated|may not change once set|not configured on this cluster|must be a valid IP|not in the valid range`)

// otherObstacle says whether both refuse a manifest, where the real one finds something else first.
func otherObstacle(line string, real, ours *outcome) bool {
	_, ok := faultsOf(ours.text)
	return ok && bothRefuse(real, ours) && (strings.HasPrefix(line, "diff") || obstacles.MatchString(real.text))
}

// inOrder sorts the lines below each heading, or what a path finds in each line.
func inOrder(line string, real, ours *outcome) {
	for _, o := range []*outcome{real, ours} {
		if strings.HasPrefix(line, "get") {
			lines := strings.Split(o.text, "\n")
			for i := range lines {
				lines[i] = strings.Join(slices.Sorted(strings.SplitSeq(lines[i], " ")), " ")
			}
			o.text = strings.Join(lines, "\n")
			continue
		}
		lines := slices.DeleteFunc(strings.Split(o.text, "\n"), func(l string) bool { return l == "" }) // behind a value that ends its line
		runs(lines, func(l string) bool { return !strings.HasPrefix(l, "Listing ") }, strings.Compare)
		o.text = strings.Join(lines, "\n")
	}
}

// runs sorts each run of elements that belong together.
func runs[E any](list []E, belongs func(E) bool, compare func(a, b E) int) {
	for from := 0; from < len(list); from++ {
		to := from
		for to < len(list) && belongs(list[to]) {
			to++
		}
		slices.SortFunc(list[from:to], compare)
		from = to
	}
}

var reasons = strings.NewReplacer("[cannot", "; cannot", ", cannot", "; cannot", "], continuing", "; continuing", "[error", "[, error", "]", ", ]")

// aboutPods matches what a drain says about single pods.
var aboutPods = regexp.MustCompile(`^(evicting pod|pod/|error when (evicting|waiting)|Warning: |error: unable to drain|There are pending|cannot delete|evicting|deleting pod)`)

// drained sorts what is said about pods between two lines about nodes, and the reasons of a line.
func drained(_ string, real, ours *outcome) {
	for _, o := range []*outcome{real, ours} {
		o.text, o.stderr = drainedText(o.text), drainedText(o.stderr)
		for i := range o.lines {
			o.lines[i].Text = sortedReasons(o.lines[i].Text)
		}
		runs(o.lines, func(l realkubectl.TimedLine) bool { return aboutPods.MatchString(l.Text) }, func(a, b realkubectl.TimedLine) int {
			return cmp.Or(strings.Compare(a.Text, b.Text), a.At.Compare(b.At))
		})
	}
}

func drainedText(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = sortedReasons(lines[i])
	}
	runs(lines, aboutPods.MatchString, strings.Compare)
	return strings.Join(lines, "\n")
}

func sortedReasons(line string) string {
	if warning, ok := strings.CutPrefix(line, "Warning: "); ok {
		return "Warning: " + sortedReasons(warning)
	}
	parts := strings.Split(reasons.Replace(line), "; ")
	for i := range parts {
		names := strings.Split(parts[i], ", ")
		slices.Sort(names)
		parts[i] = strings.Join(names, ", ")
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// sameHead says whether two explanations are of the same field: the lines up to the description are equal.
func sameHead(_ string, real, ours *outcome) bool {
	theirs, _, ok := strings.Cut(real.text, "DESCRIPTION:")
	mine, _, both := strings.Cut(ours.text, "DESCRIPTION:")
	return ok && both && theirs == mine
}

// sortedJSON prints an object behind warnings again, with its fields in order.
func sortedJSON(text string) string {
	warned, body, found := strings.Cut(text, "{")
	var tree map[string]any
	decoder := json.NewDecoder(strings.NewReader("{" + body))
	if !found || decoder.Decode(&tree) != nil {
		return text
	}
	behind := ("{" + body)[decoder.InputOffset():]
	if status, ok := tree["status"].(map[string]any); ok && len(status) == 0 {
		delete(tree, "status")
	}
	printed, err := json.MarshalIndent(tree, "", " ")
	if err != nil {
		return text
	}
	return warned + string(printed) + sortedJSON(behind)
}

// fewerTypes leaves out the types that are not modelled. The judge's server has only a part of those that are merely stored: of the others ours
// must have, once, the line that the table of kinds gives them. The columns are as wide as the longest of all types.
func fewerTypes(line string, real, ours *outcome) {
	known, unserved := map[string]bool{"KIND": true, "CATEGORIES": true, "Event": true, "events": true}, []string{}
	for _, kind := range kinds.Stored() {
		k := kinds.Of(kind)
		known[string(kind)], known[k.Plural] = true, true
		if k.Inert && asksFor(k, line) && !matches(`(?m)^`+k.Plural+`\b`, real.text) {
			unserved = append(unserved, typeLine(k, line))
		}
	}
	theirs := slices.DeleteFunc(strings.Split(real.text, "\n"), func(l string) bool {
		fields := strings.Fields(l)
		if len(fields) == 0 || strings.HasPrefix(l, "error") {
			return false
		}
		plural, _, _ := strings.Cut(fields[0], ".")
		return !known[fields[len(fields)-1]] && !known[plural]
	})
	lines := strings.Split(squeezed(ours.text), "\n")
	for _, l := range unserved {
		if i := slices.Index(lines, l); i >= 0 {
			lines = slices.Delete(lines, i, i+1)
		} else if real.code == 0 {
			theirs = append(theirs, l)
		}
	}
	real.text, ours.text = squeezed(strings.Join(theirs, "\n")), strings.Join(lines, "\n")
}

// asksFor says whether the flags of api-resources let a kind be listed. These kinds know all verbs, but Namespaces are not deleted together.
func asksFor(k *kinds.Kind, line string) bool {
	_, group, inGroup := strings.Cut(line, "--api-group=")
	return !(inGroup && group != k.Group || k.Plural == "namespaces" && strings.Contains(line, "deletecollection") || matches(fmt.Sprintf("--namespaced=%t", k.Cluster), line))
}

// typeLine is a kind's line of api-resources, its words one space apart.
func typeLine(k *kinds.Kind, line string) string {
	if matches(`-o ?=?name|--output[ =]name`, line) {
		return k.Resource()
	}
	words := []string{k.Plural, k.Short, k.APIVersion(), strconv.FormatBool(!k.Cluster), string(k.Name)}
	if matches(`-o ?=?wide|--output[ =]wide`, line) {
		words = append(words, "create,delete,deletecollection,get,list,patch,update,watch", map[bool]string{true: "all"}[k.InAll > 0])
	}
	return squeezed(strings.Join(words, " "))
}

// overflown takes ours for the real outcome where ours refuses a number for its size, and leaves out moments in 292 years or more.
func overflown(_ string, real, ours *outcome) {
	if ours.code == 1 && len(ours.objects) == 0 && matches(`(?m)json: cannot unmarshal number|^error: The --replicas=COUNT`, ours.text) {
		*ours = *real
		return
	}
	withoutPaths(` metadata deletionTimestamp$`)("", real, ours)
}

// untilStatus leaves the status of what is created out: of nodes and quotas.
func untilStatus(_ string, real, ours *outcome) {
	withoutPaths(` status (hard|used|addresses|nodeInfo|conditions|daemonEndpoints|capacity|allocatable)|template\.generation`)("", real, ours)
}

// nothing is the share of what a node has none of.
var nothing = strconv.FormatInt(math.MinInt64, 10) + "%"

// withoutLeases leaves leases out. The numbers of a division by zero make the columns of a table of resources wider.
func withoutLeases(_ string, real, ours *outcome) {
	real.without(leaseLine)
	if strings.Contains(real.text, nothing) {
		real.text = strings.ReplaceAll(real.text, nothing, "0%")
		real.text, ours.text = squeezedResources(real.text), squeezedResources(ours.text)
	}
}

func squeezedResources(text string) string {
	lines, inside := strings.Split(text, "\n"), false
	for i, l := range lines {
		if l != "" && l[0] != ' ' {
			inside = strings.HasPrefix(l, "Allocated resources:") || strings.HasPrefix(l, "Non-terminated Pods:")
		}
		if inside {
			lines[i] = strings.Trim(squeezed(strings.ReplaceAll(l, "-", "")), " ")
		}
	}
	return strings.Join(lines, "\n")
}

// cut takes ours for the real text as far as ours says that it is cut.
func cut(_ string, real, ours *outcome) {
	shortened := func(real, ours string) bool {
		begin, _, ok := strings.Cut(ours, "… (")
		return ok && strings.HasSuffix(ours, " more bytes)") && strings.HasPrefix(real, begin)
	}
	for i, l := range ours.lines {
		if i < len(real.lines) && shortened(real.lines[i].Text, l.Text) {
			ours.lines = append(ours.lines[:i], real.lines[i:]...)
			return
		}
	}
	lines := strings.Split(ours.text, "\n")
	last := lines[len(lines)-1]
	head := strings.TrimSuffix(ours.text, last)
	if strings.Contains(last, "rollplay prints") && strings.HasPrefix(real.text, head) {
		ours.text, ours.stderr, ours.code = real.text, real.stderr, real.code
	}
	if rest, ok := strings.CutPrefix(real.text, head); ok && shortened(rest, last) {
		ours.text, ours.stderr = real.text, real.stderr
	}
}

// runTogether takes the ends of our lines for those of kubectl if nothing else differs.
func runTogether(_ string, real, ours *outcome) {
	joined := func(lines []realkubectl.TimedLine) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(l.Text)
		}
		return b.String()
	}
	if ours.lines != nil && joined(ours.lines) == joined(real.lines) {
		ours.lines = real.lines
	}
}

// patterns are compiled once.
var patterns = map[string]*regexp.Regexp{}

func matches(pattern, text string) bool {
	if patterns[pattern] == nil {
		patterns[pattern] = regexp.MustCompile(pattern)
	}
	return patterns[pattern].MatchString(text)
}
