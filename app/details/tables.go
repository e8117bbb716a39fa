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

// rowsMax bounds the rows of Deployments, ReplicaSets and pods: nobody reads more, and drawing them would cost the frame. The pod view
// shows all pods, kubectl everything.
const rowsMax = 60

// tables are what kubectl get would print at the cursor: the Deployments, the ReplicaSets, whatever else there is, and the pods.
func (p *Panels) tables() app.UI {
	s, l := p.snapshot(), p.s.Lang()
	few := len(s.Others) < 2 // there are always nodes
	var deployments, sets, pods []app.UI
	for _, r := range s.Deployments {
		deployments = append(deployments,
			objectRow(l, "", "Deployment", r.Namespace, r.Name, r.Ready, strconv.Itoa(r.UpToDate), strconv.Itoa(r.Available), r.Age))
	}
	for _, r := range s.ReplicaSets {
		sets = append(sets, objectRow(l, setClass(&r), "ReplicaSet", r.Namespace, r.Name,
			strconv.Itoa(r.Desired), strconv.Itoa(r.Current), strconv.Itoa(r.Ready), r.Age, r.Images))
	}
	for _, r := range s.Pods {
		pods = append(pods, objectRow(l, podClass(&r), "Pod", r.Namespace, r.Name,
			r.Ready, r.Status, strconv.Itoa(r.Restarts), r.Age, cmp.Or(r.Node, "<none>")))
	}
	return app.Elem("div").Class("tables").Body(
		parts.When(len(deployments) > 0 || few,
			table("deploy-table", "kubectl get deploy", strings.Fields("NAME READY UP-TO-DATE AVAILABLE AGE"), deployments)),
		rest(l, len(deployments), s.AllDeployments),
		parts.When(len(sets) > 0 || few,
			table("rs-table", "kubectl get rs -o wide", strings.Fields("NAME DESIRED CURRENT READY AGE IMAGES"), sets)),
		rest(l, len(sets), s.AllReplicaSets),
		app.Range(s.Others).Slice(func(i int) app.UI {
			o := &s.Others[i]
			var rows []app.UI
			for _, r := range o.Rows {
				rows = append(rows, objectRow(l, "", o.Kind, r.Namespace, r.Name, strings.Split(r.Cells, "\t")...))
			}
			return table("table-"+o.Kind, o.Command, o.Columns, rows)
		}),
		table("pod-table", "kubectl get pods -o wide", strings.Fields("NAME READY STATUS RESTARTS AGE NODE"), pods),
		rest(l, len(pods), s.AllPods),
	)
}

// rest says how many rows of a table are left out.
func rest(l lang.Lang, rows, all int) app.UI {
	return parts.When(all > rows, app.Elem("p").Class("list-note").Text(l.Say("rows-first", rows, all)))
}

// setClass emphasizes the ReplicaSet of the present template.
func setClass(r *past.ReplicaSetRow) string {
	if r.New {
		return "rs new"
	}
	return "rs"
}

// podClass is the state of a pod.
func podClass(r *past.PodRow) string {
	switch {
	case r.Terminating:
		return "pod terminating"
	case r.IsAvailable:
		return "pod available"
	case r.IsReady:
		return "pod ready"
	}
	return "pod"
}

// table is a table below its command.
func table(name, line string, columns []string, rows []app.UI) app.UI {
	return app.Elem("div").Class("table-box").Body(
		app.Elem("h3").Class("table-title").Body(app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(line)),
		parts.Table(nil, columns, rows...).Class("k8s").DataSet("act", name).Aria("label", line),
	)
}

// objectRow is a row whose first cell is a button that covers it and leads to the last write of the object.
func objectRow(l lang.Lang, class, kind, namespace, name string, cells ...string) app.UI {
	object := kind + "/" + name
	if namespace != "" {
		object = kind + "/" + namespace + "/" + name
	}
	return &parts.Row{Class: class, Name: name, Cells: cells,
		Link: parts.Button{Act: "table-row", Class: "row-link", Text: name, Title: l.Say("last-write", name), Do: act.Object, Value: object}}
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
