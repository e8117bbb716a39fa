package kubectl

import (
	"errors"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
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
		output: r.flags["output"], sortBy: r.flags["sort-by"], noHeaders: r.flags["no-headers"] == "true",
		watch: r.flags["watch"] == "true", watchOnly: r.flags["watch-only"] == "true", showLabels: r.flags["show-labels"] == "true",
	}
	if list := r.flags["label-columns"]; list != "" {
		f.labelColumns = strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == rune(separator[0]) })
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
	r.fields, err = r.parseFieldSelector(r.flags["field-selector"])
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
	if err := sortGroups(groups, f.sortBy); err != nil {
		return err
	}
	switch {
	case f.isTable():
		r.tables(f, groups, len(errs) > 0)
	case len(r.targets) == 1 && len(errs) == 0:
		r.print(objectText(groups[0].objects[0], f.output))
	case len(r.targets) != 1:
		if text := listText(groups, f.output); text != "" {
			r.print(text)
		}
	}
	for _, err := range errs {
		r.fail(err)
	}
	return nil
}

// tables prints a table for each type, with an empty line between them. If there is nothing to see and nothing wrong, a
// line says so.
func (r *reading) tables(f *getFlags, groups []group, failed bool) {
	printed := false
	for _, g := range groups {
		if len(g.objects) == 0 {
			continue
		}
		if printed && !f.noHeaders {
			r.print("")
		}
		l := r.newListing(f, g.kind, severalKinds(groups))
		for _, line := range l.lines(g.objects, r.now) {
			r.print(line)
		}
		printed = true
	}
	if !printed && !failed {
		r.complain(r.noneFound(groups))
	}
}

// noneFound is what kubectl says of an empty list (K-37).
func (r *reading) noneFound(groups []group) string {
	for _, g := range groups {
		if r.allNamespaces || g.kind == api.KindNode {
			return "No resources found"
		}
	}
	return "No resources found in " + r.namespace + " namespace."
}

// severalKinds says whether the tables are of more than one type: then the types stand before the names.
func severalKinds(groups []group) bool {
	for _, g := range groups {
		if g.kind != groups[0].kind {
			return true
		}
	}
	return false
}

// listing prints objects of one type, a row each.
type listing struct {
	grid
	flags      *getFlags
	columns    *columns
	prefix     bool // names are deployment.apps/web
	namespaces bool // a column in front says which
	headed     bool // the names of the columns are printed
}

func (r *reading) newListing(f *getFlags, kind api.Kind, prefix bool) *listing {
	return &listing{flags: f, columns: columnsOf(kind), prefix: prefix, namespaces: r.allNamespaces && kind != api.KindNode}
}

// lines prints rows, below the names of the columns if these are the first ones.
func (l *listing) lines(objects []object, now int64) []string {
	rows := make([][]string, 0, len(objects)+1)
	if !l.headed && !l.flags.noHeaders && len(objects) > 0 {
		rows = append(rows, l.head())
		l.headed = true
	}
	for _, o := range objects {
		rows = append(rows, l.row(o, now))
	}
	for _, row := range rows {
		l.fit(row)
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = l.line(row)
	}
	return lines
}

// head returns the names of the columns.
func (l *listing) head() (row []string) {
	if l.namespaces {
		row = append(row, "NAMESPACE")
	}
	for _, name := range l.columns.names {
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
func (l *listing) row(o object, now int64) []string {
	m := o.Meta()
	row := make([]string, 0, len(l.columns.names)+len(l.flags.labelColumns)+2)
	if l.namespaces {
		row = append(row, m.Namespace)
	}
	wide := l.flags.output == "wide"
	for i, text := range l.columns.cells(o, now, wide) {
		name := l.columns.names[i]
		if name[0] == '+' && !wide {
			continue
		}
		if l.prefix && strings.TrimPrefix(name, "+") == "NAME" {
			text = resourceName(o.Key())
		}
		row = append(row, cell(text))
	}
	for _, label := range l.flags.labelColumns {
		row = append(row, m.Labels[label])
	}
	if l.flags.showLabels {
		row = append(row, labelText(m.Labels))
	}
	return row
}
