package details

import (
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

	Lang        lang.Lang
	Deployments []past.DeploymentRow
	ReplicaSets []past.ReplicaSetRow
	Others      []past.Table
	Pods        []past.PodRow
	AllPods     int
}

// podsMax bounds the rows of pods; nobody reads more, and drawing them would cost the frame. The pod view shows all.
const podsMax = 60

func (p *Panels) tables() app.UI {
	snap := p.snapshot()
	return &tables{Lang: p.s.Lang(), Deployments: snap.Deployments, ReplicaSets: snap.ReplicaSets, Others: snap.Others, Pods: snap.Pods, AllPods: snap.AllPods}
}

// Render draws the three tables.
func (t *tables) Render() app.UI {
	return app.Elem("div").Class("tables").Body(
		app.If(len(t.Deployments) > 0 || len(t.Others) < 2, func() app.UI { // nodes there are always
			return table("deploy-table", "kubectl get deploy", strings.Fields("NAME READY UP-TO-DATE AVAILABLE AGE"),
				app.Range(t.Deployments).Slice(func(i int) app.UI { return &deploymentLine{Lang: t.Lang, Row: t.Deployments[i]} }))
		}),
		app.If(len(t.ReplicaSets) > 0 || len(t.Others) < 2, func() app.UI {
			return table("rs-table", "kubectl get rs -o wide", strings.Fields("NAME DESIRED CURRENT READY AGE IMAGES"),
				app.Range(t.ReplicaSets).Slice(func(i int) app.UI { return &replicaSetLine{Lang: t.Lang, Row: t.ReplicaSets[i]} }))
		}),
		app.Range(t.Others).Slice(func(i int) app.UI { return otherTable(t.Lang, t.Others[i]) }),
		table("pod-table", "kubectl get pods -o wide", strings.Fields("NAME READY STATUS RESTARTS AGE NODE"),
			app.Range(t.Pods).Slice(func(i int) app.UI { return &podLine{Lang: t.Lang, Row: t.Pods[i]} })),
		app.If(t.AllPods > len(t.Pods), func() app.UI {
			return app.Elem("p").Class("list-note").Text(t.Lang.Say("pods-first", len(t.Pods), t.AllPods))
		}),
	)
}

// otherTable is the table of a kind that only some clusters have.
func otherTable(l lang.Lang, t past.Table) app.UI {
	return table("table-"+t.Kind, t.Command, t.Columns,
		app.Range(t.Rows).Slice(func(i int) app.UI { return &otherLine{Lang: l, Kind: t.Kind, Row: t.Rows[i]} }))
}

// otherLine is a row of such a table.
type otherLine struct {
	app.Compo

	Lang lang.Lang
	Kind string
	Row  past.TableRow
}

// Render draws the row.
func (l *otherLine) Render() app.UI {
	return objectLine(l.Lang, "", l.Row.Name, l.onClick, strings.Split(l.Row.Cells, "\t")...)
}

func (l *otherLine) onClick(ctx app.Context, _ app.Event) {
	if l.Row.Namespace == "" {
		ctx.NewActionWithValue(act.Object, l.Kind+"/"+l.Row.Name)
		return
	}
	lookAt(ctx, l.Kind, l.Row.Namespace, l.Row.Name)
}

func table(act, command string, columns []string, rows app.UI) app.UI {
	var head []app.UI
	for _, c := range columns {
		head = append(head, parts.Heading(c))
	}
	return app.Elem("div").Class("table-box").Body(
		app.Elem("h3").Class("table-title").Body(app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(command)),
		app.Elem("table").Class("k8s").DataSet("act", act).Aria("label", command).Body(
			app.Elem("thead").Body(app.Elem("tr").Body(head...)),
			app.Elem("tbody").Body(rows),
		),
	)
}

// objectLine is a row about an object. Its first cell is a button that covers the row and leads to the object's last write.
func objectLine(l lang.Lang, class, name string, do app.EventHandler, cells ...string) app.UI {
	return app.Elem("tr").Class(class).DataSet("name", name).Body(
		app.Elem("td").Body(app.Elem("button").Class("row-link").Attr("type", "button").DataSet("act", "table-row").
			Title(l.Say("last-write", name)).OnClick(do).Text(name)),
		app.Range(cells).Slice(func(i int) app.UI { return app.Elem("td").Text(cells[i]) }),
	)
}

// lookAt asks for the last write of an object.
func lookAt(ctx app.Context, kind, namespace, name string) {
	ctx.NewActionWithValue(act.Object, kind+"/"+namespace+"/"+name)
}

// deploymentLine is a row of kubectl get deploy.
type deploymentLine struct {
	app.Compo

	Lang lang.Lang
	Row  past.DeploymentRow
}

// Render draws the row.
func (l *deploymentLine) Render() app.UI {
	r := l.Row
	return objectLine(l.Lang, "", r.Name, l.onClick, r.Ready, strconv.Itoa(r.UpToDate), strconv.Itoa(r.Available), r.Age)
}

func (l *deploymentLine) onClick(ctx app.Context, _ app.Event) {
	lookAt(ctx, "Deployment", l.Row.Namespace, l.Row.Name)
}

// replicaSetLine is a row of kubectl get rs; the one of the present template stands out.
type replicaSetLine struct {
	app.Compo

	Lang lang.Lang
	Row  past.ReplicaSetRow
}

// Render draws the row.
func (l *replicaSetLine) Render() app.UI {
	r := l.Row
	class := "rs"
	if r.New {
		class = "rs new"
	}
	return objectLine(l.Lang, class, r.Name, l.onClick, strconv.Itoa(r.Desired), strconv.Itoa(r.Current), strconv.Itoa(r.Ready), r.Age, r.Images)
}

func (l *replicaSetLine) onClick(ctx app.Context, _ app.Event) {
	lookAt(ctx, "ReplicaSet", l.Row.Namespace, l.Row.Name)
}

// podLine is a row of kubectl get pods, with what the pod is doing as its class.
type podLine struct {
	app.Compo

	Lang lang.Lang
	Row  past.PodRow
}

// Render draws the row.
func (l *podLine) Render() app.UI {
	r := l.Row
	class := "pod"
	switch {
	case r.Terminating:
		class += " terminating"
	case r.IsAvailable:
		class += " available"
	case r.IsReady:
		class += " ready"
	}
	node := r.Node
	if node == "" {
		node = "<none>"
	}
	return objectLine(l.Lang, class, r.Name, l.onClick, r.Ready, r.Status, strconv.Itoa(r.Restarts), r.Age, node)
}

func (l *podLine) onClick(ctx app.Context, _ app.Event) {
	lookAt(ctx, "Pod", l.Row.Namespace, l.Row.Name)
}

// snapshot is the cluster at the cursor, made once for all regions that show it.
func (p *Panels) snapshot() *past.Snapshot {
	s := p.s
	if s.Run() == nil {
		return &past.Snapshot{}
	}
	key := snapKey{s.Run(), s.Cursor().Record, s.Cursor().T / cursor.Second}
	if p.snap == nil || p.snapKey != key {
		p.snap, p.snapKey = s.Run().Past().SnapshotAt(s.Cursor().Record, s.Cursor().T, podsMax), key
	}
	return p.snap
}

// snapKey is what a snapshot's rows depend on; ages are in whole seconds.
type snapKey struct {
	run     *engine.Run
	record  int
	seconds int64
}
