package read

import (
	"errors"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// getFlags are the flags of kubectl get.
type getFlags struct {
	output           string // "", wide, yaml, json or name
	watch, watchOnly bool
	noHeaders        bool
	showLabels       bool
	labelColumns     []string
	sortBy           string
}

// readGetFlags reads the flags and refuses what does not go together.
func (r *reading) readGetFlags() (*getFlags, error) {
	f := &getFlags{
		output: r.Flags["output"], sortBy: r.Flags["sort-by"], noHeaders: r.Flags["no-headers"] == "true",
		watch: r.Flags["watch"] == "true", watchOnly: r.Flags["watch-only"] == "true", showLabels: r.Flags["show-labels"] == "true",
	}
	if list := r.Flags["label-columns"]; list != "" {
		f.labelColumns = strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == rune(line.Separator[0]) })
	}
	switch f.output {
	case "", "wide", "yaml", "json", "name":
	default:
		format, _, _ := strings.Cut(f.output, "=")
		return nil, errors.New("rollplay does not model the output format \"" + format + "\"; it models json, name, wide and yaml")
	}
	if f.showLabels && !f.isTable() {
		return nil, errors.New("--show-labels option cannot be used with " + f.output + " printer")
	}
	var err error
	r.fields, err = r.parseFieldSelector(r.Flags["field-selector"])
	return f, err
}

// isTable says whether the answer is a table.
func (f *getFlags) isTable() bool { return f.output == "" || f.output == "wide" }

// get lists objects (K-37, K-40 to K-53).
func (r *reading) get() error {
	f, err := r.readGetFlags()
	if err != nil {
		return err
	}
	if f.watch || f.watchOnly {
		return r.watch(f)
	}
	groups, errs := r.find()
	if err := print.SortGroups(groups, f.sortBy); err != nil {
		return err
	}
	switch {
	case f.isTable():
		r.tables(f, groups, len(errs) > 0)
	case len(r.Targets) == 1 && len(errs) == 0:
		r.print(print.ObjectText(groups[0].Objects[0], f.output))
	case len(r.Targets) != 1:
		r.list(f, groups)
	}
	for _, err := range errs {
		r.fail(err)
	}
	return nil
}

// tables prints a table for each type, with an empty line between them. If there is nothing to see and nothing wrong, a
// line says so.
func (r *reading) tables(f *getFlags, groups []print.Group, failed bool) {
	printed := false
	for _, g := range groups {
		if len(g.Objects) == 0 {
			continue
		}
		if printed && !f.noHeaders {
			r.print("")
		}
		l := r.newListing(f, g.Kind, severalKinds(groups))
		for _, line := range l.lines(g.Objects, r.now) {
			r.print(line)
		}
		printed = true
	}
	if !printed && !failed {
		r.complain(r.noneFound(groups))
	}
}

// noneFound is kubectl's answer to an empty list (K-37).
func (r *reading) noneFound(groups []print.Group) string {
	for _, g := range groups {
		if r.AllNamespaces || g.Kind == api.KindNode {
			return "No resources found"
		}
	}
	return "No resources found in " + r.Namespace + " namespace."
}

// severalKinds says whether the tables are of more than one type: then the types stand before the names.
func severalKinds(groups []print.Group) bool {
	for _, g := range groups {
		if g.Kind != groups[0].Kind {
			return true
		}
	}
	return false
}

// listing prints objects of one type, a row each.
type listing struct {
	print.Grid
	flags      *getFlags
	columns    *print.Format
	prefix     bool // names are deployment.apps/web
	namespaces bool // a column in front says which
	headed     bool // the names of the columns are printed
}

func (r *reading) newListing(f *getFlags, kind api.Kind, prefix bool) *listing {
	return &listing{flags: f, columns: print.FormatOf(kind), prefix: prefix, namespaces: r.AllNamespaces && kind != api.KindNode}
}

// lines prints rows, below the names of the columns if these are the first ones.
func (l *listing) lines(objects []print.Object, now int64) []string {
	rows := make([][]string, 0, len(objects)+1)
	if !l.headed && !l.flags.noHeaders && len(objects) > 0 {
		rows = append(rows, l.head())
		l.headed = true
	}
	for _, o := range objects {
		rows = append(rows, l.row(o, now))
	}
	for _, row := range rows {
		l.Fit(row)
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = l.Line(row)
	}
	return lines
}

// head returns the names of the columns.
func (l *listing) head() (row []string) {
	if l.namespaces {
		row = append(row, "NAMESPACE")
	}
	for _, name := range l.columns.Names {
		if wide := name[0] == '+'; !wide || l.flags.output == "wide" {
			row = append(row, strings.TrimPrefix(name, "+"))
		}
	}
	for _, label := range l.flags.labelColumns {
		row = append(row, strings.ToUpper(label[strings.LastIndexByte(label, '/')+1:]))
	}
	if l.flags.showLabels {
		row = append(row, "LABELS")
	}
	return row
}

// row returns the cells of an object.
func (l *listing) row(o print.Object, now int64) []string {
	m := o.Meta()
	row := make([]string, 0, len(l.columns.Names)+len(l.flags.labelColumns)+2)
	if l.namespaces {
		row = append(row, m.Namespace)
	}
	wide := l.flags.output == "wide"
	for i, text := range l.columns.Cells(o, now, wide) {
		name := l.columns.Names[i]
		if name[0] == '+' && !wide {
			continue
		}
		if l.prefix && strings.TrimPrefix(name, "+") == "NAME" {
			text = line.ResourceName(o.Key())
		}
		row = append(row, print.Cell(text))
	}
	for _, label := range l.flags.labelColumns {
		row = append(row, m.Labels[label])
	}
	if l.flags.showLabels {
		row = append(row, print.LabelText(m.Labels))
	}
	return row
}
