package details

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
)

// rowsMax bounds the rows of a table: nobody reads more, and drawing them would cost the frame. The pod view shows all pods, kubectl
// everything.
const rowsMax = 60

// rowClass is the class of the rows of a kind.
var rowClass = map[string]string{"ReplicaSet": "rs", "Pod": "pod"}

// tablesView is what kubectl get would print at the cursor. go-app draws it again when the tables are others.
type tablesView struct {
	app.Compo

	Lang   lang.Lang
	Tables []past.Table
}

func (p *Panels) tables() app.UI { return &tablesView{Lang: p.s.Lang(), Tables: p.tablesHere()} }

// Render draws the tables. Where there is little else, Deployments and ReplicaSets have one even if it is empty.
func (v *tablesView) Render() app.UI {
	l := v.Lang
	few := len(v.Tables) < 5 // there are always nodes
	var all []app.UI
	for _, t := range v.Tables {
		if len(t.Rows) == 0 && t.Kind != "Pod" && !few {
			continue
		}
		var rows []app.UI
		for _, r := range t.Rows {
			class := strings.TrimSpace(rowClass[t.Kind] + " " + r.State)
			object := api.Key{Kind: api.Kind(t.Kind), Namespace: r.Namespace, Name: r.Name}
			rows = append(rows, &parts.Row{Lang: l, Class: class, Name: r.Name, Object: object.String(), Cells: r.Cells})
		}
		all = append(all,
			app.Elem("div").Class("table-box").Body(
				app.Elem("h3").Class("table-title").Body(app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(t.Command)),
				parts.Table(nil, t.Columns, rows...).Class("k8s").DataSet("act", "table-"+t.Kind).Aria("label", t.Command),
			),
			parts.When(t.All > len(rows), app.Elem("p").Class("list-note").Text(l.Say("rows-first", len(rows), t.All))))
	}
	return app.Elem("div").Class("tables").Body(all...)
}

// tablesHere are those of the cluster at the cursor, made once. While a run plays, tables out of sight stay as they are.
func (p *Panels) tablesHere() []past.Table {
	s := p.s
	if s.Run() == nil {
		return past.NoTables()
	}
	key := tablesKey{s.Run(), s.Cursor.Record, s.Cursor.T / cursor.Second}
	if wait := p.away && s.Cursor.Playing && p.shownKey.run == key.run; p.shownKey != key && !wait {
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
