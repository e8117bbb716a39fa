package print

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// Columns returns the headings under which kubectl get prints a kind, without those that only -o wide has.
func Columns(kind api.Kind) (names []string) {
	for _, name := range FormatOf(kind).Names {
		if !strings.HasPrefix(name, "+") {
			names = append(names, name)
		}
	}
	return names
}

// Cells returns what kubectl get prints of an object under these headings, at a virtual ms.
func Cells(o api.Object, now int64) []string {
	kind := o.Key().Kind
	return FormatOf(kind).Cells(o, now, false)[:len(Columns(kind))]
}
