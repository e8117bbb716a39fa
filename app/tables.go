package app

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
)

// tables is what kubectl get would print at the cursor.
type tables struct {
	app.Compo

	Deployments []engine.DeploymentRow
	ReplicaSets []engine.ReplicaSetRow
	Pods        []engine.PodRow
	AllPods     int
}

// podsMax bounds the rows of pods; nobody reads more, and drawing them would cost the frame.
const podsMax = 250

func (p *page) tables() app.UI {
	snap := p.snapshot()
	n := min(len(snap.Pods), podsMax)
	return &tables{Deployments: snap.Deployments, ReplicaSets: snap.ReplicaSets, Pods: snap.Pods[:n], AllPods: len(snap.Pods)}
}

// Render draws the three tables.
func (t *tables) Render() app.UI {
	return app.Elem("div").Class("tables").Body(
		table("deploy-table", "kubectl get deploy", "NAME READY UP-TO-DATE AVAILABLE AGE",
			app.Range(t.Deployments).Slice(func(i int) app.UI { return &deploymentLine{Row: t.Deployments[i]} })),
		table("rs-table", "kubectl get rs -o wide", "NAME DESIRED CURRENT READY AGE IMAGES",
			app.Range(t.ReplicaSets).Slice(func(i int) app.UI { return &replicaSetLine{Row: t.ReplicaSets[i]} })),
		table("pod-table", "kubectl get pods -o wide", "NAME READY STATUS RESTARTS AGE NODE",
			app.Range(t.Pods).Slice(func(i int) app.UI { return &podLine{Row: t.Pods[i]} })),
		app.If(t.AllPods > len(t.Pods), func() app.UI {
			return app.Elem("p").Class("list-note").Text("the first " + strconv.Itoa(len(t.Pods)) + " of " + strconv.Itoa(t.AllPods) + " pods")
		}),
	)
}

func table(act, command, columns string, rows app.UI) app.UI {
	var head []app.UI
	for _, c := range fields(columns) {
		head = append(head, th(c))
	}
	return app.Elem("div").Class("table-box").Body(
		app.Elem("h3").Class("table-title").Body(app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(command)),
		app.Elem("table").Class("k8s").DataSet("act", act).Aria("label", command).Body(
			app.Elem("thead").Body(app.Elem("tr").Body(head...)),
			app.Elem("tbody").Body(rows),
		),
	)
}

// tableLine is a row of cells, the first of which names it.
func tableLine(class, name string, current bool, cells ...string) app.UI {
	row := app.Elem("tr").Class(class)
	if name != "" {
		row = row.DataSet("name", name)
	}
	if current {
		row = row.Aria("current", "true")
	}
	return row.Body(app.Range(cells).Slice(func(i int) app.UI { return app.Elem("td").Text(cells[i]) }))
}

func fields(s string) []string { return strings.Fields(s) }

// deploymentLine is a row of kubectl get deploy.
type deploymentLine struct {
	app.Compo

	Row engine.DeploymentRow
}

// Render draws the row.
func (l *deploymentLine) Render() app.UI {
	r := l.Row
	return tableLine("", r.Name, false, r.Name, r.Ready, strconv.Itoa(r.UpToDate), strconv.Itoa(r.Available), r.Age)
}

// replicaSetLine is a row of kubectl get rs; the one of the present template stands out.
type replicaSetLine struct {
	app.Compo

	Row engine.ReplicaSetRow
}

// Render draws the row.
func (l *replicaSetLine) Render() app.UI {
	r := l.Row
	class := "rs"
	if r.New {
		class = "rs new"
	}
	return tableLine(class, r.Name, false, r.Name, strconv.Itoa(r.Desired), strconv.Itoa(r.Current), strconv.Itoa(r.Ready), r.Age, r.Images)
}

// podLine is a row of kubectl get pods, with what the pod is doing as its class.
type podLine struct {
	app.Compo

	Row engine.PodRow
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
	return tableLine(class, r.Name, false, r.Name, r.Ready, r.Status, strconv.Itoa(r.Restarts), r.Age, node)
}
