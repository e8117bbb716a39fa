package kubectl

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Choice is a difference that stays: our kubectl says something else on purpose.
type Choice struct {
	Name, Reason string
	line         string                   // matches the line that was typed
	real         string                   // matches the first line that the real one prints and ours does not
	ours         string                   // matches the first line that ours prints and the real one does not
	same         func(d *Difference) bool // compares the rest; nil if the lines say it all
}

// Choices are all differences that stay, at most 25.
var Choices = []Choice{
	{Name: "not simulated", Reason: "a refusal names what rollplay does not simulate, instead of pretending",
		ours: `rollplay (does not|models|simulates|opens|has no|is not a shell)|left out: `},
	{Name: "line of the manifest", Reason: "what is wrong with a manifest is told with its document and line, in the server's words behind",
		line: `-f`, ours: `^error: document \d+, line`, same: bothRefuse},
	{Name: "checked in full", Reason: "delete -f and client dry runs check a manifest as apply does, where kubectl does not ask the server",
		line: `^delete -f|--dry-run=client`, ours: `^error: document \d+, line`},
	{Name: "additions", Reason: "a hint on a line of its own, behind kubectl's words", same: added},
	{Name: "order of equals", Reason: "kubectl's sort is not stable; ours keeps events of the same second in the order of their names",
		line: `events|get ev|--sort-by`, same: sameLines},
	{Name: "order of a drain", Reason: "kubectl evicts the pods of a node in no order; ours by their names", line: `^drain`, same: sameLines},
	{Name: "lease", Reason: "leases are computed, and no objects", line: `^describe`, real: `^Lease:`, same: withoutLeases},
	{Name: "looked up later", Reason: "what no object of a kind allows is refused before the object is looked up", real: `NotFound`,
		ours: `is not supported|no rollbacker|no history viewer|no status viewer|could not find the requested resource`},
	{Name: "groups", Reason: "a group of commands alone answers with its commands in one line", real: `^(Manage|Modify|Configure|Create a resource)`,
		ours: `needs one of`},
	{Name: "context", Reason: "the only context is called rollplay", line: `^config (current-context|get-contexts)`},
	{Name: "decoder", Reason: "a value of the wrong type is told in the decoder's words, not with the whole object as the server does",
		ours: `json: cannot unmarshal|quantities must match`, same: bothRefuse},
	{Name: "all", Reason: "of the types that `all` stands for, only the first one's refusal of a selector is told", line: `\ball\b`,
		same: func(d *Difference) bool { return bothRefuse(d) && strings.Contains(d.Ours.Text, "Unable to find") }},
	{Name: "overflow", Reason: "a number that its field has no room for is refused; the server stores what is left of it",
		ours: `json: cannot unmarshal number|^error: The --replicas=COUNT`, line: `9999999`},
	{Name: "admission", Reason: "the judge has no admission plugins: ours enforces quotas", ours: `exceeded quota`},
	{Name: "status at once", Reason: "what controllers and kubelets fill in a moment later is there at once",
		real: ` status (hard|addresses|nodeInfo|conditions|daemonEndpoints)|template\.generation`},
	{Name: "record", Reason: "scale --record is one write: kubectl writes the annotation after it", line: `^scale .*--record`, real: `metadata generation`},
	{Name: "cut", Reason: "an answer of more than a megabyte is cut", ours: `rollplay prints`},
}

func bothRefuse(d *Difference) bool { return d.Real.Code != 0 && d.Ours.Code != 0 }

// added says whether ours has lines behind those of kubectl.
func added(d *Difference) bool {
	return strings.HasPrefix(d.Ours.Text, terminal(d.Real.Text)+"\n") && bothRefuse(d)
}

// sameLines says whether two texts have the same lines in another order.
func sameLines(d *Difference) bool {
	return slices.Equal(slices.Sorted(strings.Lines(d.Real.Text)), slices.Sorted(strings.Lines(d.Ours.Text)))
}

var leaseLine = regexp.MustCompile(`(?m)^Lease:.*\n`)

// withoutLeases compares the words of two texts: the numbers of a division by zero make columns wider.
func withoutLeases(d *Difference) bool {
	real := strings.ReplaceAll(leaseLine.ReplaceAllString(d.Real.Text, ""), strconv.FormatInt(math.MinInt64, 10)+"%", "0%")
	return slices.Equal(strings.Fields(real), strings.Fields(d.Ours.Text))
}

// choiceFor returns the name of the choice that explains a difference.
func choiceFor(d *Difference) string {
	for i := range Choices {
		c := &Choices[i]
		if matches(c.line, d.Real.Line) && matches(c.real, d.Minus) && matches(c.ours, d.Plus) &&
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
