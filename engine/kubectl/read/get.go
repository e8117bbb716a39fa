package read

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/events"
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
	r.fields = parseFieldSelector(r.Flags["field-selector"])
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
	// For several lists or several named objects, kubectl does not send the field selector.
	if f.isTable() && (len(r.Kinds) > 0 && len(groups) > 1 || len(r.Targets) > 0 && len(print.Flat(groups)) > 1) {
		err = print.MissingField(r.Flags["sort-by"])
	} else if !f.isTable() && r.Flags["sort-by"] != "" && len(r.Targets) != 1 { // they are one list
		groups = []print.Group{{Objects: print.Flat(groups)}}
		err = print.SortGroups(groups, r.Flags["sort-by"], false)
	} else {
		err = print.SortGroups(groups, r.Flags["sort-by"], true)
	}
	if _, none := err.(print.NoField); none && f.isTable() && len(r.Kinds) == 1 { // kubectl prints no table, and takes it for empty
		if !r.On("ignore-not-found") {
			r.complain(r.noneFound(groups))
		}
		return nil
	}
	switch {
	case err != nil && f.isTable():
		return err
	case err != nil:
	case f.isTable():
		r.tables(f, groups, len(errs) > 0 || r.On("ignore-not-found"))
	case f.columns != nil:
		lines, err := f.columns(groups)
		if err != nil {
			return err
		}
		r.print(strings.Join(lines, "\n"))
	case len(r.Targets) == 1 && len(groups) == 0: // it is missing
	case f.show != nil:
		err = r.template(f, groups)
	case len(r.Targets) == 1:
		r.print(print.ObjectText(groups[0].Objects[0], f.output))
	default:
		r.list(f, groups)
	}
	if err != nil {
		errs = append(errs, err)
	}
	r.fail(errs...)
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

// fieldSelector is what follows --field-selector: conditions that all must hold. One without a field is not understood.
type fieldSelector []fieldCondition

type fieldCondition struct {
	field, value string
	not          bool
}

// parseFieldSelector reads a=b,c!=d.
func parseFieldSelector(text string) (s fieldSelector) {
	for _, term := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' }) {
		field, value, ok := strings.Cut(term, "=")
		if !ok {
			return fieldSelector{{value: term}}
		}
		field, not := strings.CutSuffix(field, "!")
		s = append(s, fieldCondition{field, strings.TrimPrefix(value, "="), not})
	}
	return s
}

// unselectable is the server's answer if it cannot apply the command's selectors to a kind.
func (r *reading) unselectable(kind api.Kind) error {
	wrong := r.BadSelector
	for _, c := range r.fields {
		switch {
		case wrong != nil:
		case c.field == "":
			wrong = errors.New("invalid selector: '" + r.Flags["field-selector"] + "'; can't understand '" + c.value + "'")
		case c.field == "metadata.name", c.field == "metadata.namespace" && !kinds.Of(kind).Cluster,
			slices.Contains(strings.Fields(selectableFields[kind]), c.field):
		case kind == "Job":
			wrong = fmt.Errorf("field label %q not supported for Job", c.field)
		case selectableFields[kind] != "": // these types have a sentence of their own, too
			wrong = errors.New("field label not supported: " + c.field)
		default:
			wrong = fmt.Errorf("%q is not a known field selector: only \"metadata.name\", \"metadata.namespace\"", c.field)
		}
	}
	if wrong == nil {
		return nil
	}
	return line.NotSelectable(kind, r.Flags, wrong)
}

func (s fieldSelector) matches(o api.Object) bool {
	return !slices.ContainsFunc(s, func(c fieldCondition) bool { return (fieldOf(o, c.field) == c.value) == c.not })
}

// selectableFields are the fields of a type, besides name and namespace, that its registry can select by.
var selectableFields = map[api.Kind]string{
	api.KindPod: "spec.nodeName spec.host spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork " +
		"status.phase status.podIP status.nominatedNodeName",
	api.KindNode:            "spec.unschedulable",
	api.KindService:         "spec.clusterIP spec.type",
	"Job":                   "status.successful",
	"Namespace":             "status.phase",
	"ReplicationController": "status.replicas",
	"Secret":                "type",
	api.KindEvent:           "involvedObject.kind involvedObject.name involvedObject.namespace reason type source reportingComponent",
}

// defaultFields are the values of fields that objects leave out.
var defaultFields = map[string]string{"spec.unschedulable": "false", "spec.hostNetwork": "false", "status.replicas": "0", "status.successful": "0"}

// fieldOf returns a field that objects can be selected by. To make the tree of a pod takes a while, and a list may have thousands.
func fieldOf(o api.Object, field string) string {
	quick := map[string]string{"metadata.name": o.Meta().Name, "metadata.namespace": o.Meta().Namespace}
	if pod, ok := o.(*api.Pod); ok {
		quick["spec.nodeName"], quick["spec.restartPolicy"], quick["status.phase"] = pod.NodeName, pod.Spec.RestartPolicy, pod.Status.Phase
	}
	if text, ok := quick[field]; ok {
		return text
	}
	var value any = print.Served(o)
	path := cmp.Or(map[string]string{"source": "source.component", "spec.host": "spec.nodeName"}[field], field)
	for name := range strings.SplitSeq(path, ".") {
		value = api.Fields{"": value}.Object("")[name]
	}
	return cmp.Or(print.TextOf(value), defaultFields[field])
}

// watch lists objects and then prints a row for each change (K-50, R-24). It never ends by itself.
//
// Simplified: kubectl receives a change at the moment of the change, not a millisecond later, so that its row shows beside
// what changed.
func (r *reading) watch(f *getFlags) error {
	if err := r.checkOutput(f); err != nil {
		return err
	}
	switch {
	case r.Flags["sort-by"] == "":
	case r.On("watch-only"):
		r.complain("warning: --watch-only requested, --sort-by will be ignored")
	default:
		r.complain("warning: --watch requested, --sort-by will be ignored for watch events received")
	}
	groups, errs := r.find()
	switch {
	case severalKinds(groups):
		return errors.New("you may only specify a single resource type")
	case len(errs) > 0:
		return errs[0]
	}
	if err := print.SortGroups(groups, r.Flags["sort-by"], true); err != nil {
		return err
	}
	w := &watcher{listing: r.newListing(f, groups[0].Kind, false), kind: groups[0].Kind}
	if !r.On("watch-only") {
		if w.show(groups[0].Objects); w.err != nil {
			return fmt.Errorf("unable to output the provided object: %w", w.err)
		}
	}
	if len(r.Targets) > 1 {
		return errors.New("you may only watch a single resource or type of resource at a time")
	}
	if w.kind == api.KindEvent {
		w.laterEvents(func(e *events.Event) { // also those that only count on
			if w.err == nil && w.watches(e) {
				w.show([]api.Object{e})
			}
		})
	} else {
		w.follow()
	}
	r.answer.Open = w.err == nil
	return nil
}

// watcher prints objects as they change.
type watcher struct {
	*listing
	kind  api.Kind
	shown int   // how many objects
	err   error // of a template, which ends the watch without a word
}

// show prints objects at the present moment of the watch.
func (w *watcher) show(objects []api.Object) {
	if w.flags.isTable() {
		w.printTable(objects)
		return
	}
	if w.flags.columns != nil && len(objects) > 0 {
		lines := []string(nil)
		if lines, w.err = w.flags.columns([]print.Group{{Kind: w.kind, Objects: objects}}); w.err == nil {
			w.print(strings.Join(lines, "\n"))
		}
		return
	}
	for _, o := range objects {
		if w.flags.show != nil {
			text := ""
			if text, w.err = w.flags.show(print.Served(o)); w.err != nil {
				return
			} else if text != "" {
				w.print(text)
			}
			continue
		}
		if w.shown > 0 && w.flags.output == "yaml" {
			w.print("---")
		}
		w.print(print.ObjectText(o, w.flags.output))
		w.shown++
	}
}

// follow shows each later version of an object. What is deleted, or leaves the selector, is shown once more as it was.
func (w *watcher) follow() {
	for i := range w.Changes {
		c := &w.Changes[i]
		if w.answer.full || w.err != nil {
			return
		}
		o := c.New
		if !w.watches(o) {
			if o = c.Old; !w.watches(o) {
				continue
			}
		}
		w.now = c.At
		w.show([]api.Object{o})
	}
}

// watches says whether the command selects a version of an object, which may be nil.
func (w *watcher) watches(o api.Object) bool {
	if o == nil || o.Key().Kind != w.kind {
		return false
	}
	if len(w.Targets) > 0 {
		return o.Key() == w.Targets[0]
	}
	return w.selects(o)
}
