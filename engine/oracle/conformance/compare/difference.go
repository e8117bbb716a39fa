package compare

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rollplay/rollplay/engine/sim"
)

// Difference is a disagreement between the engine and upstream.
type Difference struct {
	At           sim.Time
	Where        string // for example: sync of Deployment/default/web
	What         string // what differs: actions, error, queue, or the path of a field
	Ours, Theirs string
}

func (d *Difference) String() string {
	return fmt.Sprintf("%.3f s, %s: %s differ\n    ours: %s\n  theirs: %s", float64(d.At)/1000, d.Where, d.What, d.Ours, d.Theirs)
}

// Sort says which controller differs and in what, without names and numbers.
func (d *Difference) Sort() string {
	what, _, _ := strings.Cut(d.What, " of the stored")
	return strings.Join(strings.Fields(d.Where)[:2], " ") + " " + numbers.ReplaceAllString(what, "")
}

var numbers = regexp.MustCompile(`[0-9]+`)

// KnownDifference is a difference that stays, with the reason why. It needs a witness in testdata/known: a scenario that
// shows it. A test fails when the witness shows it no longer.
type KnownDifference struct {
	Name, Reason string
	is           func(*Difference) bool
}

// KnownDifferences is empty at present.
var KnownDifferences []KnownDifference

// knownDifference returns the name of a known difference, "" if it is a new one.
func knownDifference(d *Difference) string {
	for _, k := range KnownDifferences {
		if k.is(d) {
			return k.Name
		}
	}
	return ""
}
