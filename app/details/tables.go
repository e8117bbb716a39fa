package details

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// tables is what kubectl get would print at the cursor.
type tables struct {
	app.Compo

	Lang lang.Lang
	Snap *past.Snapshot
}

// rowsMax bounds the rows of Deployments, ReplicaSets and pods; nobody reads more, and drawing them would cost the frame. The pod
// view shows all pods, kubectl everything.
const rowsMax = 60

func (p *Panels) tables() app.UI { return &tables{Lang: p.s.Lang(), Snap: p.snapshot()} }

// Render draws the tables of the Deployments, the ReplicaSets, whatever else there is, and the pods.
func (t *tables) Render() app.UI {
	s, few := t.Snap, len(t.Snap.Others) < 2 // nodes there are always
	return app.Elem("div").Class("tables").Body(
		app.If(len(s.Deployments) > 0 || few, func() app.UI {
			return table("deploy-table", "kubectl get deploy", strings.Fields("NAME READY UP-TO-DATE AVAILABLE AGE"), len(s.Deployments), func(i int) app.UI {
				r := s.Deployments[i]
				return t.row("", "Deployment", r.Namespace, r.Name, r.Ready, strconv.Itoa(r.UpToDate), strconv.Itoa(r.Available), r.Age)
			})
		}),
		t.rest(len(s.Deployments), s.AllDeployments),
		app.If(len(s.ReplicaSets) > 0 || few, func() app.UI {
			return table("rs-table", "kubectl get rs -o wide", strings.Fields("NAME DESIRED CURRENT READY AGE IMAGES"), len(s.ReplicaSets), t.replicaSet)
		}),
		t.rest(len(s.ReplicaSets), s.AllReplicaSets),
		app.Range(s.Others).Slice(func(i int) app.UI {
			o := &s.Others[i]
			return table("table-"+o.Kind, o.Command, o.Columns, len(o.Rows), func(i int) app.UI {
				return t.row("", o.Kind, o.Rows[i].Namespace, o.Rows[i].Name, strings.Split(o.Rows[i].Cells, "\t")...)
			})
		}),
		table("pod-table", "kubectl get pods -o wide", strings.Fields("NAME READY STATUS RESTARTS AGE NODE"), len(s.Pods), t.pod),
		t.rest(len(s.Pods), s.AllPods),
	)
}

// rest says how many rows of a table are left out.
func (t *tables) rest(rows, all int) app.UI {
	return app.If(all > rows, func() app.UI {
		return app.Elem("p").Class("list-note").Text(t.Lang.Say("rows-first", rows, all))
	})
}

// replicaSet is a row in which the one of the present template stands out.
func (t *tables) replicaSet(i int) app.UI {
	r, class := t.Snap.ReplicaSets[i], "rs"
	if r.New {
		class = "rs new"
	}
	return t.row(class, "ReplicaSet", r.Namespace, r.Name, strconv.Itoa(r.Desired), strconv.Itoa(r.Current), strconv.Itoa(r.Ready), r.Age, r.Images)
}

// pod is a row with what the pod is doing as its class.
func (t *tables) pod(i int) app.UI {
	r, class := t.Snap.Pods[i], "pod"
	switch {
	case r.Terminating:
		class += " terminating"
	case r.IsAvailable:
		class += " available"
	case r.IsReady:
		class += " ready"
	}
	return t.row(class, "Pod", r.Namespace, r.Name, r.Ready, r.Status, strconv.Itoa(r.Restarts), r.Age, cmp.Or(r.Node, "<none>"))
}

func table(name, line string, columns []string, rows int, row func(i int) app.UI) app.UI {
	var head, body []app.UI
	for _, c := range columns {
		head = append(head, parts.Heading(c))
	}
	for i := range rows {
		body = append(body, row(i))
	}
	return app.Elem("div").Class("table-box").Body(
		app.Elem("h3").Class("table-title").Body(app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(line)),
		app.Elem("table").Class("k8s").DataSet("act", name).Aria("label", line).Body(
			app.Elem("thead").Body(app.Elem("tr").Body(head...)),
			app.Elem("tbody").Body(body...),
		),
	)
}

// row is a row about an object.
func (t *tables) row(class, kind, namespace, name string, cells ...string) app.UI {
	object := kind + "/" + name
	if namespace != "" {
		object = kind + "/" + namespace + "/" + name
	}
	return &objectRow{Lang: t.Lang, Class: class, Object: object, Name: name, Cells: strings.Join(cells, "\t")}
}

// objectRow is a row whose first cell is a button that covers it and leads to the last write of the object.
type objectRow struct {
	app.Compo

	Lang                lang.Lang
	Class, Object, Name string
	Cells               string // separated by tabs
}

// Render draws the row.
func (r *objectRow) Render() app.UI {
	cells := strings.Split(r.Cells, "\t")
	return app.Elem("tr").Class(r.Class).DataSet("name", r.Name).Body(
		app.Elem("td").Body(app.Elem("button").Class("row-link").Attr("type", "button").DataSet("act", "table-row").
			Title(r.Lang.Say("last-write", r.Name)).OnClick(r.onClick).Text(r.Name)),
		app.Range(cells).Slice(func(i int) app.UI { return app.Elem("td").Text(cells[i]) }),
	)
}

func (r *objectRow) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Object, r.Object)
}

// snapshot is the cluster at the cursor, made once for all regions that show it.
func (p *Panels) snapshot() *past.Snapshot {
	s := p.s
	if s.Run() == nil {
		return &past.Snapshot{}
	}
	key := snapKey{s.Run(), s.Cursor.Record, s.Cursor.T / cursor.Second}
	if p.snap == nil || p.snapKey != key {
		p.snap, p.snapKey = s.Run().Past().SnapshotAt(s.Cursor.Record, s.Cursor.T, rowsMax), key
	}
	return p.snap
}

// snapKey is what a snapshot's rows depend on; ages are in whole seconds.
type snapKey struct {
	run     *engine.Run
	record  int
	seconds int64
}
