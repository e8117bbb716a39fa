package kubectl

import (
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// Choice is a difference that stays: our kubectl says something else on purpose.
type Choice struct {
	Name, Reason string
	line         string                   // matches the line that was typed
	real         string                   // matches the first line that the real one prints and ours does not
	ours         string                   // matches the first line that ours prints and the real one does not
	same         func(d *Difference) bool // compares the rest; nil if the lines say it all
	silent       bool                     // it explains differences that are not printed, too: of what is written
}

// Choices are all differences that stay, at most 25.
var Choices = []Choice{
	{Name: "not simulated", Reason: "a refusal names what rollplay does not simulate, instead of pretending",
		ours: `rollplay (does not|models|simulates|opens|has no|is not a shell)|is left out: |a closing . is missing`, same: known},
	{Name: "line of the manifest", Reason: "what is wrong with a manifest is told with its document and line in front of the server's words",
		line: `-f`, ours: `^error: document \d+, line`, same: sameFaults},
	{Name: "checked in full", Reason: "a manifest is checked as a whole before anything is done; kubectl may find an obstacle first, or merge or delete what is wrong",
		line: `-f`, ours: `^error: document \d+, line`, same: otherObstacle},
	{Name: "additions", Reason: "a hint on a line of its own, behind kubectl's words", same: added},
	{Name: "order of equals", Reason: "kubectl's sort is not stable; ours keeps events of the same second in the order of their names",
		line: `^describe|events|get ev|--sort-by|--list`, same: sameLines},
	{Name: "order of a drain", Reason: "kubectl tells of the pods of a node, and of what is in the way, in no order; ours by their names", line: `^drain`, same: drained},
	{Name: "lease", Reason: "leases are computed, and no objects", line: `^describe`, real: `^Lease:`, same: withoutLeases},
	{Name: "help", Reason: "help tells what is modelled; a group of commands alone answers with its commands in one line",
		line: `^help|--help|-h$|^(rollout|set|config|create|auth)$`, same: helps},
	{Name: "explain", Reason: "the descriptions of kubectl explain are our own: they say what the simulation does", line: `^explain`, same: sameHead},
	{Name: "types", Reason: "api-resources lists the types that are modelled", line: `^api-resources`, same: fewerLines},
	{Name: "rest of all", Reason: "all stands for the types that are modelled: the real one asks for replication controllers, too", line: `\ball\b`,
		same: withoutControllers},
	{Name: "version", Reason: "a build of kubectl outside of a release has no number", line: `^version`, real: `v0\.0\.0-master`},
	{Name: "order of fields", Reason: "some writes print JSON in the order of Go's structures; ours is sorted", line: `-o json`, same: sameJSON},
	{Name: "empty labels", Reason: "what kubectl keeps of labels that are gone is left out", line: `^(label|annotate) .*-o `, same: withoutEmpty},
	{Name: "context", Reason: "the only context is called rollplay", line: `^config (current-context|get-contexts)`},
	{Name: "decoder", Reason: "a value of the wrong type is told in the decoder's words, not with the whole object as the server does",
		line: `^patch|^create|^set`, ours: `json: cannot unmarshal|quantities must match`, same: bothRefuse},
	{Name: "overflow", Reason: "a number that its field has no room for is refused, and a moment in 292 years or more is kept; the server stores what is left of them",
		line: `\d{10,}`, ours: `json: cannot unmarshal number|^error: The --replicas=COUNT|deletionTimestamp: \d{4,}-`, silent: true},
	{Name: "admission", Reason: "the judge has no admission plugins: ours enforces and counts quotas, and has the tolerations that every pod gets", same: quotas, silent: true},
	{Name: "status at once", Reason: "what controllers and kubelets fill in a moment later is there at once",
		line: `^(apply|create|replace|diff|patch|label|annotate|taint|scale|set|rollout)`, same: untilStatus, silent: true},
	{Name: "end of a template", Reason: "a template that does not end its line is followed by an error on the next", line: `-o ?jsonpath|--output=jsonpath`, same: sameWords},
	{Name: "status by hand", Reason: "the fields of a status in a patch are not read, so that none of them is unknown", line: `^patch .*"status"`,
		real: `^Warning: unknown field "status\.`},
	{Name: "finalizer of a pod", Reason: "pods own nothing, so that a deletion in the foreground or of orphans leaves no finalizer on them",
		line: `^delete .*--cascade`, same: onlyPaths(`^/pods/[^ ]+$|^/pods/.* metadata (finalizers|deletion|generation)`), silent: true},
	{Name: "record", Reason: "scale --record is one write: kubectl writes the annotation after it", line: `^scale .*--record`,
		same: onlyPaths(` metadata generation$`), silent: true},
	{Name: "cache", Reason: "for each object, kubectl wait fills a cache, and looks into it 100 ms later; ours looks at once", line: `^wait`,
		same: soon, silent: true},
	{Name: "cut", Reason: "an answer of more than a megabyte is cut, and the line of an error after 2000 characters", ours: `rollplay prints|… \(\d+ more bytes\)$`},
}

// groupLine matches a group of commands alone.
var groupLine = regexp.MustCompile(`^\w+$`)

// helps says whether ours answers with the commands of a group, or anything at all to what asks for help.
func helps(d *Difference) bool {
	return !groupLine.MatchString(d.Real.Line) || strings.Contains(d.Plus, "needs one of")
}

// cacheDelay is how long kubectl wait takes to look at an object.
const cacheDelay = 100 * time.Millisecond

// soon says whether the real one prints the lines of ours, each as much later as it has looked at objects, or finds that an object is
// gone by then.
func soon(d *Difference) bool {
	rest := slices.Clone(d.Real.Lines)
	for i, l := range d.Ours.Lines {
		name, _, met := strings.Cut(l.Text, " condition met")
		_, name, _ = strings.Cut(name, "/")
		k := slices.IndexFunc(rest, func(r realkubectl.TimedLine) bool {
			objects := i + 1
			if strings.HasPrefix(l.Text, "Error from server") { // errors are told at the end
				objects = len(d.Ours.Lines)
			}
			looked := min(max(r.At.Sub(l.At), 0), time.Duration(objects)*cacheDelay)
			return r.Text == l.Text && inTime(r.At.Add(-looked), l.At) ||
				met && strings.HasPrefix(r.Text, "Error from server (NotFound): ") && strings.Contains(r.Text, strconv.Quote(name))
		})
		if k < 0 {
			return false
		}
		rest = slices.Delete(rest, k, k+1)
	}
	return len(rest) == 0
}

func bothRefuse(d *Difference) bool { return d.Real.Code != 0 && d.Ours.Code != 0 }

// known says whether the real one knows what ours does not simulate.
func known(d *Difference) bool {
	return !strings.Contains(d.Real.Text, "unknown flag") && !strings.Contains(d.Real.Text, "unknown shorthand") &&
		!strings.Contains(d.Real.Text, "unknown command") || strings.Contains(d.Ours.Text, "is not a shell") || strings.Contains(d.Ours.Text, "a closing ")
}

// faultLine is what ours says about a place in a manifest.
var faultLine = regexp.MustCompile(`^error: document \d+, line \d+: (.*)$`)

// faultsOf returns what ours says about the manifest; it is false if ours says anything else.
func faultsOf(d *Difference) (faults []string, ok bool) {
	for line := range strings.Lines(d.Ours.Text) {
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

// sameFaults says whether both say the same of one field of a manifest at least.
func sameFaults(d *Difference) bool {
	faults, ok := faultsOf(d)
	same := false
	real := lineNumber.ReplaceAllString(strings.ReplaceAll(d.Real.Text, `\"`, `"`), "line #")
	for _, fault := range faults {
		fault, _, _ = strings.Cut(fault, " (did you mean")
		fault, _, _ = strings.Cut(fault, ": paste ")
		fault = lineNumber.ReplaceAllString(fault, "line #")
		fault = strings.TrimPrefix(fault, "strict decoding error: ")
		if m := missingWord.FindStringSubmatch(fault); m != nil {
			same = same || (strings.Contains(real, "Object '"+m[1]+"' is missing") || strings.Contains(real, strings.ToLower(m[1][:1])+m[1][1:]+" not set"))
			continue
		}
		same = same || strings.Contains(real, fault)
	}
	return ok && same && bothRefuse(d)
}

// obstacles are what kubectl finds before the server looks at a manifest.
var obstacles = regexp.MustCompile(`NotFound|AlreadyExists|field is immutable|when retrieving current configuration|merge key|resource mapping not found|` +
	`resource name may not be empty|invalid object to validate|no objects passed|unable to decode|no kind "|may not add or remove containers|pod updates may not|namespace|not set`)

// otherObstacle says whether ours names faults of a manifest where the real one accepts it or finds something else.
func otherObstacle(d *Difference) bool {
	_, ok := faultsOf(d)
	return ok && (d.Real.Code == 0 || strings.HasPrefix(d.Real.Line, "diff") || obstacles.MatchString(d.Real.Text))
}

// added says whether ours has lines behind those of kubectl.
func added(d *Difference) bool {
	return strings.HasPrefix(d.Ours.Text, terminal(d.Real.Text)+"\n") && bothRefuse(d)
}

// sameLines says whether two texts have the same lines and warnings in another order, and end at the same time.
func sameLines(d *Difference) bool {
	real, ours := d.Real.Lines, d.Ours.Lines
	if d.What == "stream" && (len(real) == 0 || len(real) != len(ours) || !inTime(real[len(real)-1].At, ours[len(ours)-1].At)) {
		return false
	}
	return slices.Equal(sortedLines(d.Real.Text), sortedLines(d.Ours.Text))
}

var reasons = strings.NewReplacer("[cannot", "; cannot", ", cannot", "; cannot", "], continuing", "; continuing")

// drained says whether both print the same lines at the same moments, in another order. The reasons in a line come in no order, either.
func drained(d *Difference) bool {
	if d.What != "stream" {
		return slices.Equal(sortedLines(reasons.Replace(d.Real.Text)), sortedLines(reasons.Replace(d.Ours.Text)))
	}
	return slices.EqualFunc(byText(d.Real.Lines), byText(d.Ours.Lines), func(a, b realkubectl.TimedLine) bool { return a.Text == b.Text && inTime(a.At, b.At) })
}

// byText sorts lines by what they say, and then by their times.
func byText(lines []realkubectl.TimedLine) []realkubectl.TimedLine {
	sorted := slices.Clone(lines)
	for i := range sorted {
		sorted[i].Text = strings.Join(sortedLines(reasons.Replace(sorted[i].Text)), "")
	}
	slices.SortFunc(sorted, func(a, b realkubectl.TimedLine) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), a.At.Compare(b.At))
	})
	return sorted
}

func sortedLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		parts := strings.Split(strings.TrimPrefix(strings.TrimSpace(line), "Warning: "), "; ")
		slices.Sort(parts)
		lines = append(lines, strings.Join(parts, "; "))
	}
	slices.Sort(lines)
	return lines
}

// sameHead says whether two explanations are of the same field: the lines up to the description are equal.
func sameHead(d *Difference) bool {
	real, _, ok := strings.Cut(d.Real.Text, "DESCRIPTION:")
	ours, _, both := strings.Cut(d.Ours.Text, "DESCRIPTION:")
	return ok && both && real == ours
}

// onlyPaths returns whether texts are equal, and all that differs in the objects is at certain paths.
func onlyPaths(pattern string) func(d *Difference) bool {
	return func(d *Difference) bool {
		real, err := changesOf(&d.Real)
		ours, wrong := changesOf(&d.Ours)
		if d.What != "objects" || err != nil || wrong != nil {
			return false
		}
		for path, _, _ := firstDifference(real, ours); path != ""; path, _, _ = firstDifference(real, ours) {
			if !matches(pattern, "/"+path) {
				return false
			}
			delete(real, "/"+path)
			delete(ours, "/"+path)
		}
		return true
	}
}

// quotas says whether ours is refused by a quota, or has counted for one.
func quotas(d *Difference) bool {
	without := func(text string) string { return terminal(tolerationLines.ReplaceAllString(text, "")) }
	return strings.Contains(d.Plus, "exceeded quota") || d.What == "text" && without(d.Real.Text) == without(d.Ours.Text+"\n") ||
		onlyPaths(`^/resourcequotas/.* status used|^/pods/.* spec tolerations`)(d)
}

// sameJSON says whether two texts are the same object, behind the same warnings, but for a status that ours has at once.
func sameJSON(d *Difference) bool {
	warned, text, _ := strings.Cut(terminal(d.Real.Text), "{")
	rest, same := strings.CutPrefix(terminal(d.Ours.Text), warned+"{")
	var real, ours map[string]any
	if !same || json.Unmarshal([]byte("{"+text), &real) != nil || json.Unmarshal([]byte("{"+rest), &ours) != nil {
		return false
	}
	if status, ok := real["status"].(map[string]any); ok && len(status) == 0 {
		ours["status"] = status
	}
	return reflect.DeepEqual(real, ours)
}

var emptyLine = regexp.MustCompile(`(?m)^ *"?(labels|annotations)"?: \{\},?\n`)

func withoutEmpty(d *Difference) bool {
	return emptyLine.ReplaceAllString(terminal(d.Real.Text), "") == terminal(d.Ours.Text)
}

// fewerLines says whether ours has some of the lines of the real one, in their order.
func fewerLines(d *Difference) bool {
	rest := slices.Collect(strings.Lines(d.Real.Text))
	for line := range strings.Lines(d.Ours.Text) {
		i := slices.IndexFunc(rest, func(r string) bool { return slices.Equal(strings.Fields(r), strings.Fields(line)) })
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

var controllerLine = regexp.MustCompile(`(?m)^.*Resource=replicationcontrollers.*\n`)

// withoutControllers leaves out what the real one says about replication controllers.
func withoutControllers(d *Difference) bool {
	return controllerLine.ReplaceAllString(d.Real.Text, "") == d.Ours.Text
}

var tolerationLines = regexp.MustCompile(`(?m)^\+?  tolerations:\n(\+?  - .*\n(\+?    .*\n)*)+|^@@ .*\n`)

var statusLine, hunkLine = regexp.MustCompile(`(?ms)^[+ ]?status:.*`), regexp.MustCompile(`(?m)^@@ .*\n`)

// untilStatus says whether two texts are the same without the status at their ends, or only that differs in the objects.
func untilStatus(d *Difference) bool {
	without := func(text string) string {
		return hunkLine.ReplaceAllString(statusLine.ReplaceAllString(terminal(text)+"\n", ""), "")
	}
	return d.What == "text" && without(d.Real.Text) == without(d.Ours.Text) ||
		onlyPaths(` status (hard|used|addresses|nodeInfo|conditions|daemonEndpoints)|template\.generation`)(d)
}

// sameWords compares two texts without their line ends.
func sameWords(d *Difference) bool {
	return strings.ReplaceAll(d.Real.Text, "\n", "") == strings.ReplaceAll(d.Ours.Text, "\n", "")
}

var leaseLine = regexp.MustCompile(`(?m)^Lease:.*\n`)

// withoutLeases compares the words of two texts: the numbers of a division by zero make columns wider.
func withoutLeases(d *Difference) bool {
	real := strings.ReplaceAll(leaseLine.ReplaceAllString(d.Real.Text, ""), strconv.FormatInt(math.MinInt64, 10)+"%", "0%")
	return slices.Equal(strings.Fields(real), strings.Fields(d.Ours.Text))
}

// choiceFor returns the name of the choice that explains a difference.
func choiceFor(d *Difference) string {
	// What else than the text differs: what is written, times, the exit code.
	silent := d.What == "objects" || terminal(d.Real.Text) == terminal(d.Ours.Text)
	for i := range Choices {
		c := &Choices[i]
		if (!silent || c.silent) && matches(c.line, d.Real.Line) && matches(c.real, d.Minus) && matches(c.ours, d.Plus) &&
			(c.same == nil || c.same(d)) {
			return c.Name
		}
	}
	return ""
}

// patterns are compiled once.
var patterns = map[string]*regexp.Regexp{}

func matches(pattern, text string) bool {
	if patterns[pattern] == nil {
		patterns[pattern] = regexp.MustCompile(pattern)
	}
	return patterns[pattern].MatchString(text)
}
