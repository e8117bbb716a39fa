package read

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/limits"
)

// getFlags are the flags of kubectl get.
type getFlags struct {
	output, form string // "", wide, yaml, json, name, jsonpath, custom-columns; and what follows the last two
	labelColumns []string
	show         func(tree any) (string, error) // in the template of the form, if it has one
	columns      func([]print.Group) ([]string, error)
}

// readGetFlags reads the flags and refuses what does not go together.
func (r *reading) readGetFlags() (*getFlags, error) {
	isComma := func(c rune) bool { return c == ',' || c == rune(line.Separator[0]) }
	f := &getFlags{labelColumns: strings.FieldsFunc(r.Flags["label-columns"], isComma)}
	template := r.Flags["template"]
	if f.output, f.form, _ = strings.Cut(r.Flags["output"], "="); f.output == "" && template != "" {
		f.output = "go-template"
	}
	f.form = cmp.Or(f.form, template)
	r.fields, r.badFields = ParseFieldSelector(r.Flags["field-selector"])
	return f, cmp.Or(limits.AtMost(limits.Columns, len(f.labelColumns), "columns"),
		limits.AtMost(limits.Parts, len(r.fields), "fields of a selector"))
}

// outputs are the formats that kubectl lists; those that rollplay does not print are in otherOutputs, too.
const (
	outputs      = "custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,wide,yaml"
	otherOutputs = "custom-columns-file,go-template-file,jsonpath-as-json,jsonpath-file,kyaml,templatefile"
)

// readFile takes the template of a form of output from a file. Columns are there in two lines: the headings, and the paths.
func (r *reading) readFile(f *getFlags) error {
	form, isFile := strings.CutSuffix(f.output, "file")
	if !isFile || f.form == "" {
		return nil
	}
	form = strings.TrimSuffix(form, "-")
	text, ok := r.File(f.form)
	if !ok {
		option := map[bool]string{true: "template", false: "--template"}[form == "custom-columns"]
		return fmt.Errorf("error reading %s %s, open %s: no such file or directory\n", option, f.form, f.form)
	}
	if f.output, f.form = form, text; form != "custom-columns" {
		return nil
	}
	rows := strings.Split(f.form+"\n", "\n")
	columns, specs := strings.Fields(rows[0]), strings.Fields(rows[1])
	if len(columns) != len(specs) {
		return fmt.Errorf("number of headers (%d) and field specifications (%d) don't match", len(columns), len(specs))
	}
	for i := range columns {
		columns[i] += ":" + specs[i]
	}
	f.form = strings.Join(columns, ",")
	return nil
}

func (r *reading) checkOutput(f *getFlags) (err error) {
	switch {
	case f.output == "":
		return nil
	case !slices.Contains(strings.Split(outputs, ","), f.output):
		return fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: %s", f.output, outputs)
	case slices.Contains(strings.Split(otherOutputs, ","), f.output):
		return fmt.Errorf("rollplay does not model the output format %q; it models custom-columns, go-template, json, jsonpath, name, wide and yaml", f.output)
	case f.output == "custom-columns":
		f.columns, err = print.CustomColumns(f.form, !r.On("no-headers"))
	case print.Templates[f.output] != "":
		f.show, err = print.ReadTemplate(print.Templates[f.output], f.form)
	}
	return err
}

func (f *getFlags) isTable() bool { return f.output == "" || f.output == "wide" }

// get lists objects (K-37, K-40 to K-53).
func (r *reading) get() error {
	f, err := r.readGetFlags()
	if err != nil {
		return err
	}
	if r.On("watch") || r.On("watch-only") {
		return r.watch(f)
	}
	groups, errs := r.find()
	if r.On("ignore-not-found") {
		errs = slices.DeleteFunc(errs, func(err error) bool { return api.IsReason(err, api.ReasonNotFound) })
	}
	if !f.isTable() && len(r.Targets) == 1 && len(errs) == 1 {
		return errs[0]
	}
	if !f.isTable() && r.On("ignore-not-found") && len(print.Flat(groups)) == 0 {
		r.fail(errs...)
		return nil
	}
	if err := cmp.Or(r.readFile(f), r.checkOutput(f)); err != nil {
		return err
	}
	switch by := r.Flags["sort-by"]; {
	case f.isTable():
		if err := r.sortTables(groups, by); err != nil {
			return err
		}
	case by != "" && len(r.Targets) != 1: // they are one list
		groups = []print.Group{{Objects: print.Flat(groups)}}
		err = print.SortObjects(groups[0].Objects, by, false)
	}
	switch {
	case err != nil:
	case f.isTable():
		r.tables(f, groups, len(errs) > 0 || r.On("ignore-not-found"))
	case f.columns != nil:
		var lines []string
		if lines, err = f.columns(groups); len(lines) > 0 {
			r.print(strings.Join(lines, "\n"))
		}
	case len(r.Targets) == 1 && len(groups) == 0: // it is missing
	case f.show != nil:
		err = r.template(f, groups)
	case len(r.Targets) == 1:
		r.print(print.ObjectText(groups[0].Objects[0], f.output))
	default:
		r.list(f, groups)
	}
	r.fail(append(errs, err)...)
	return nil
}

// sortTables sorts the rows of each table. kubectl prints no table in which it finds nothing to sort by, and takes it for empty.
func (r *reading) sortTables(groups []print.Group, by string) error {
	if len(r.Kinds) > 0 && len(groups) > 1 || len(r.Targets) > 0 && len(print.Flat(groups)) > 1 {
		if err := print.SortTables(by); err != nil || len(r.Targets) > 0 { // each of them is a table of its own
			return err
		}
	}
	for i := range groups {
		switch err := print.SortObjects(groups[i].Objects, by, true); err.(type) {
		case nil:
		case limits.Exceeded, print.Unsortable:
			return err
		default:
			groups[i].Objects = nil
		}
	}
	return nil
}

// template prints the objects in a template: a single named object by itself, any others as a list.
func (r *reading) template(f *getFlags, groups []print.Group) (err error) {
	var tree map[string]any
	if len(r.Targets) == 1 {
		tree = print.Served(groups[0].Objects[0])
	} else if tree, err = print.List(groups); err != nil {
		return err
	}
	return r.fill(f, tree)
}

// fill prints what a template makes of a tree, which may be nothing.
func (r *reading) fill(f *getFlags, tree map[string]any) error {
	text, err := f.show(tree)
	if err == nil && text != "" {
		r.print(text)
	}
	return err
}

// tables prints a table for each type. If there is nothing to see and nothing wrong, a line says so.
func (r *reading) tables(f *getFlags, groups []print.Group, failed bool) {
	printed, namespaces := false, false
	for _, g := range groups {
		if len(g.Objects) == 0 {
			continue
		}
		if printed && !r.On("no-headers") {
			r.print("")
		}
		l := r.newListing(f, g.Kind, r.On("show-kind") || severalKinds(groups))
		namespaces = namespaces || l.namespaces // kubectl keeps the column for all tables behind
		l.namespaces = namespaces
		l.printTable(g.Objects)
		printed = true
	}
	if !printed && !failed {
		r.complain(r.noneFound(groups))
	}
}

// noneFound is the answer to an empty list; nodes have no namespace.
func (r *reading) noneFound(groups []print.Group) string {
	cluster := slices.ContainsFunc(groups, func(g print.Group) bool { return kinds.Of(g.Kind).Cluster })
	return r.NoneFound(cluster || r.On("all-namespaces") && len(groups) > 0)
}

// severalKinds says whether the tables are of more than one type: then the types are printed before the names.
func severalKinds(groups []print.Group) bool {
	return slices.ContainsFunc(groups, func(g print.Group) bool { return g.Kind != groups[0].Kind })
}

// listing prints objects of one type, a row each.
type listing struct {
	*reading
	print.Grid
	flags      *getFlags
	columns    *print.Format
	prefix     bool // names are deployment.apps/web
	namespaces bool // a column in front says which
	headed     bool // the names of the columns are printed
}

func (r *reading) newListing(f *getFlags, kind api.Kind, prefix bool) *listing {
	return &listing{reading: r, flags: f, columns: print.FormatOf(kind), prefix: prefix, namespaces: r.On("all-namespaces") && !kinds.Of(kind).Cluster}
}

// printTable prints a row for each object, below the names of the columns if these are the first ones.
func (l *listing) printTable(objects []api.Object) {
	rows := make([][]string, 0, len(objects)+1)
	if !l.headed && !l.On("no-headers") && len(objects) > 0 {
		rows = append(rows, l.head())
		l.headed = true
	}
	for _, o := range objects {
		breath.Often()
		rows = append(rows, l.row(o))
	}
	for _, text := range l.Lines(rows) {
		l.print(text)
	}
}

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
	if l.On("show-labels") {
		row = append(row, "LABELS")
	}
	return row
}

func (l *listing) row(o api.Object) []string {
	m := o.Meta()
	row := make([]string, 0, len(l.columns.Names)+len(l.flags.labelColumns)+2)
	if l.namespaces {
		row = append(row, m.Namespace)
	}
	wide := l.flags.output == "wide"
	for i, text := range l.columns.Cells(o, l.now, wide) {
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
	if l.On("show-labels") {
		row = append(row, print.LabelText(m.Labels))
	}
	return row
}

// detailsMax is how many bytes a list of objects in full may have before no further object is added.
const detailsMax = limits.Output / 4

var tooLong = fmt.Sprintf("rollplay prints at most %d MB for one command; the rest is left out", limits.Output>>20)

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
