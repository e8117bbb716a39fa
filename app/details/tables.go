package details

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// rowsMax bounds the rows of a table: nobody reads more, and drawing them would cost the frame. The pod view shows all pods, kubectl
// everything.
const rowsMax = 60

// rowClass is the class of the rows of a kind.
var rowClass = map[string]string{"ReplicaSet": "rs", "Pod": "pod"}

// tables draws what kubectl get would print at the cursor. Where there is little else, Deployments and ReplicaSets have a table even if
// there are none.
func (p *Panels) tables() app.UI {
	tables, l := p.tablesHere(), p.s.Lang()
	few := len(tables) < 5 // there are always nodes
	var all []app.UI
	for _, t := range tables {
		if len(t.Rows) == 0 && t.Kind != "Pod" && !few {
			continue
		}
		var rows []app.UI
		for _, r := range t.Rows {
			class := strings.TrimSpace(rowClass[t.Kind] + " " + r.State)
			rows = append(rows, objectRow(l, class, t.Kind, r.Namespace, r.Name, strings.Split(r.Cells, "\t")...))
		}
		all = append(all, table("table-"+t.Kind, t.Command, t.Columns, rows), rest(l, len(rows), t.All))
	}
	return app.Elem("div").Class("tables").Body(all...)
}

// rest says how many rows of a table are left out.
func rest(l lang.Lang, rows, all int) app.UI {
	return parts.When(all > rows, app.Elem("p").Class("list-note").Text(l.Say("rows-first", rows, all)))
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

// tablesHere are those of the cluster at the cursor, made once for all regions that show them.
func (p *Panels) tablesHere() []past.Table {
	s := p.s
	if s.Run() == nil {
		return past.NoTables()
	}
	key := tablesKey{s.Run(), s.Cursor.Record, s.Cursor.T / cursor.Second}
	if p.shownKey != key {
		p.shown, p.shownKey = s.Run().Past().Tables(s.Cursor.Record, s.Cursor.T, rowsMax), key
	}
	return p.shown
}

// tablesKey is what the tables depend on; ages are in whole seconds.
type tablesKey struct {
	run     *engine.Run
	record  int
	seconds int64
}
