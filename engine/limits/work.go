package limits

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/breath"
)

// Meter counts the work of one command whose size depends on typed input: paths, columns, fields to sort by. A loop over such
// input counts its steps and results, and ends with the error.
type Meter struct{ done int }

// unitsOfBreath is how much work is done between two breaths: a fraction of a millisecond.
const unitsOfBreath = 512

// Count adds n units of work and takes breaths. It fails once the command has done more than Work.
func (m *Meter) Count(n int) error {
	if m.done/unitsOfBreath != (m.done+n)/unitsOfBreath {
		breath.Take()
	}
	if m.done += n; m.done > Work {
		return tooMuch
	}
	return nil
}

// Exceeded is the sentence about a limit that a command exceeds. Callers pass it on alone: around it kubectl would repeat the long text.
type Exceeded string

func (e Exceeded) Error() string { return string(e) }

var tooMuch = Exceeded(fmt.Sprintf("rollplay looks at no more than %d values for one command; select fewer objects or fields", Work))

// AtMost returns an error if there are more than a number of things, which the error names in the plural.
func AtMost(most, n int, what string) error {
	if n <= most {
		return nil
	}
	return Exceeded(fmt.Sprintf("rollplay reads at most %d %s, not %d", most, what, n))
}

// IsExceeded reports whether an error is about a limit.
func IsExceeded(err error) bool {
	_, is := err.(Exceeded)
	return is
}
