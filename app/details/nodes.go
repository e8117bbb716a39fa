package details

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/past"
)

// Bounds of the node view: nodes, and pods on each. The pod view shows all pods.
const (
	nodesMax     = 40
	nodePodsMax  = 60
	nodePodsRead = 3000 // of a larger cluster the pods are not sorted by node here
)

// nodesPanel is the tab of the nodes: their pods, actions on them, and what the last drain has printed.
func (p *Panels) nodesPanel() app.UI {
	s, l := p.s, p.s.Lang()
	var rows []past.NodeRow
	var drain app.UI
	all, next := 0, ""
	if s.Run() != nil {
		rows, all = s.Run().Past().Nodes(s.Cursor.Record, nodesMax)
		next, drain = nextNode(rows, all), p.lastDrain()
	}
	cards := p.nodeCards(rows)
	return app.Elem("div").Class("nodes-panel").Body(
		app.Elem("div").Class("nodes-bar").Body(
			app.Elem("span").Class("muted").Text(l.Count(all, "one-node", "n-nodes")),
			lineButton("node-add", l.Say("node-add"), "add node/"+next, act.Do),
		),
		app.Elem("div").Class("node-cards").Body(app.Range(cards).Slice(func(i int) app.UI { return &cards[i] })),
		parts.When(all > len(rows), app.Elem("p").Class("list-note").Text(l.Say("nodes-first", len(rows), all))),
		drain,
	)
}

func (p *Panels) nodeCards(rows []past.NodeRow) (cards []nodeCard) {
	if len(rows) == 0 {
		return nil
	}
	s, at, words := p.s, map[string]int{}, p.s.Lang().PodWords()
	for i, row := range rows {
		at[row.Name] = i
		cards = append(cards, nodeCard{Lang: s.Lang(), Row: row, Dead: s.Run().Past().IsDown(row.Name, s.Cursor.Record)})
	}
	tiles := s.Run().Past().Pods(s.Cursor.Record, s.Cursor.T)
	for _, t := range tiles[:min(len(tiles), nodePodsRead)] {
		i, ok := at[t.Node]
		if !ok || t.State == past.PodFinished {
			continue
		}
		if n := &cards[i]; len(n.Pods) < nodePodsMax {
			n.Pods = append(n.Pods, podTile(t.Key, t.State, words[t.State]))
		} else {
			n.More++
		}
	}
	return cards
}

// podTile is a pod on a node; a click leads to its last write.
func podTile(key string, state past.PodState, meaning string) parts.Button {
	words := command.Name(key) + ": " + meaning
	return parts.Button{Act: "node-pod", Class: "node-pod tile", Title: words, Label: words, Attributes: parts.Attributes{Set: map[string]any{"state": state.String()}},
		Spans: []parts.Span{}, Do: act.Object, Value: "Pod/" + key}
}

// nextNode is a free name in the style of the default cluster.
func nextNode(rows []past.NodeRow, all int) string {
	for n := all + 1; ; n++ {
		name := fmt.Sprintf("node-%d", n)
		if !slices.ContainsFunc(rows, func(r past.NodeRow) bool { return r.Name == name }) {
			return name
		}
	}
}

// nodeCard is a node with its pods.
type nodeCard struct {
	app.Compo

	Lang lang.Lang
	Row  past.NodeRow
	Dead bool // its machine was killed, whether or not anybody has noticed
	Pods []parts.Button
	More int // pods that are not drawn
}

// Render draws the node's facts, its pods and its buttons.
func (b *nodeCard) Render() app.UI {
	n := &b.Row
	state, words := parts.Rating(b.Dead || !n.Ready, n.Cordoned), n.Status
	if b.Dead && n.Ready {
		words = b.Lang.Say("node-down", n.Status)
	}
	var facts []string
	if n.Zone != "" {
		facts = append(facts, b.Lang.Say("node-zone", n.Zone))
	}
	facts = append(facts, b.Lang.Count(n.Pods, "one-pod", "n-pods"))
	if n.Room != "" {
		facts = append(facts, n.Room)
	}
	return app.Elem("section").Class("node-card").DataSet("act", "node").DataSet("name", n.Name).Aria("label", n.Name+", "+words).Body(
		app.Elem("div").Class("node-head").Body(
			app.Elem("h3").Class("mono").Text(n.Name),
			app.Elem("span").Class("node-status "+state).DataSet("act", "node-status").Text(words),
		),
		app.Elem("p").Class("node-facts").Text(strings.Join(facts, " · ")),
		parts.When(n.Taints != "", app.Elem("p").Class("node-taints mono").Title(b.Lang.Say("node-taints")).Text(n.Taints)),
		app.Elem("div").Class("node-pods").Body(
			app.Range(b.Pods).Slice(func(i int) app.UI {
				tile := b.Pods[i]
				return &tile
			}),
			parts.When(b.More > 0, app.Elem("span").Class("muted").Text(fmt.Sprintf("+%d", b.More))),
		),
		b.buttons(),
	)
}

// buttons are the actions on a node; the tooltip of each is its line.
func (b *nodeCard) buttons() app.UI {
	name, say := b.Row.Name, b.Lang.Say
	cordon, power := lineButton("node-cordon", say("node-cordon"), "kubectl cordon "+name, act.Kubectl), lineButton("node-kill", say("node-kill"), "kill node/"+name, act.Do)
	if b.Row.Cordoned {
		cordon = lineButton("node-uncordon", say("node-uncordon"), "kubectl uncordon "+name, act.Kubectl)
	}
	if b.Dead {
		power = lineButton("node-restore", say("node-restore"), "restore node/"+name, act.Do)
	}
	return app.Elem("div").Class("node-actions").Role("group").Aria("label", say("node-do", name)).Body(
		lineButton("node-drain", say("node-drain"), command.Drain(name), act.Kubectl),
		cordon, power,
		lineButton("node-remove", say("node-remove"), "kubectl delete node "+name, act.Kubectl),
	)
}

// lineButton runs a line of kubectl, or of the environment. The line is its tooltip.
func lineButton(name, label, line, do string) app.UI {
	return &parts.Button{Act: name, Class: "button small", Text: label, Title: line, Do: do, Value: line, Data: "line"}
}

// transcriptMax bounds the lines of a drain: a blocked one keeps repeating itself.
const transcriptMax = 200

// lastDrain is what the last drain at or before the cursor has printed by then, as a terminal would show it, with times.
func (p *Panels) lastDrain() app.UI {
	s, of, say := p.s, p.s.Run().Past(), p.s.Lang().Say
	i := of.LastInput(s.Cursor.Record)
	for ; i >= 0; i = of.LastInput(i - 1) {
		if c := of.Command(i); c != nil && c.Drains() {
			break
		}
	}
	if i < 0 {
		return nil
	}
	printed := of.Transcript(i)
	seen := sort.Search(len(printed.Lines), func(k int) bool { return printed.Lines[k].T > s.Cursor.T })
	state := say("drain-ended")
	if printed.Open || seen < len(printed.Lines) {
		state = say("drain-goes-on")
	}
	hidden := max(0, seen-transcriptMax)
	lines := printed.Lines[hidden:seen]
	return app.Elem("section").Class("drain-transcript").DataSet("act", "drain-transcript").Aria("label", say("drain-printed")).Body(
		app.Elem("h3").Class("table-title").Body(
			app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(s.Run().Record(i).Command),
			app.Elem("span").Class("muted").Text(" ("+state+")")),
		parts.When(hidden > 0, app.Elem("p").Class("list-note").Text(say("drain-last", len(lines), hidden))),
		app.Elem("pre").TabIndex(0).Body(parts.EachOf(lines, transcriptLine)),
	)
}

func transcriptLine(l *past.ReadLine) app.UI {
	return app.Elem("div").Body(
		app.Elem("span").Class("at").Text(cursor.Clock(l.T)+"  "), app.Elem("span").Class(parts.Marked("", "bad", l.Stderr)).Text(l.Text))
}
