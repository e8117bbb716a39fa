package read

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/limits"
)

// detailsMax is how many bytes a list of objects in full may have before no further object is added. One object is always shown,
// up to limits.Output.
const detailsMax = limits.Output / 4

var tooLong = fmt.Sprintf("rollplay prints at most %d MB for one command; the rest is left out", limits.Output>>20)

// enough says whether so much is printed that the i-th of n objects is left out, and prints that.
func (r *reading) enough(i, n int) bool {
	if r.answer.size < detailsMax {
		return false
	}
	r.leftOut(i, n)
	return true
}

func (r *reading) leftOut(printed, all int) {
	r.complain(fmt.Sprintf("rollplay prints the first %d of %d objects in full; name one, or use a selector", printed, all))
}

// list prints several objects as -o yaml, json and name do.
func (r *reading) list(f *getFlags, groups []print.Group) {
	if f.output == "name" {
		for _, o := range print.Flat(groups) {
			r.print(line.ResourceName(o.Key()))
		}
		return
	}
	text, printed, all := print.ListText(groups, f.output, detailsMax)
	if r.print(text); printed < all {
		r.leftOut(printed, all)
	}
}
