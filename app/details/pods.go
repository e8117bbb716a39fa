package details

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// The ways to group the pods.
const (
	ByReplicaSet = "replicaset"
	ByNode       = "node"
)

// podsPanel is the tab of the pods, a tile each. There may be thousands, so the tiles belong to JavaScript (web/src/pods.js), which
// receives what changed (see pushPods); go-app draws the controls above them.
func (p *Panels) podsPanel() app.UI { return p.podsBox("pods-panel", p.podsBar()) }

func (p *Panels) podsBox(class string, bar app.UI) app.UI {
	name := p.s.Lang().Say("tab-pods")
	return app.Elem("section").Class(class).Aria("label", name).Body(parts.Title(name), bar, &parts.Host{Class: "pod-view", Act: "pod-view"})
}

// by is how the pods are grouped: as somebody chose, else by node in the lessons that speak of nodes.
func (p *Panels) by() string {
	name := p.s.Lesson.Name()
	if p.Pods.By == "" && slices.ContainsFunc(scenarios.Chapters(), func(c scenarios.Chapter) bool { return c.ID == "nodes" && slices.Contains(c.Lessons, name) }) {
		return ByNode
	}
	return cmp.Or(p.Pods.By, ByReplicaSet)
}

// PodsInPlace are the pods below the chart: the boxes of their revisions side by side, or their nodes. How they are grouped is chosen in
// the tab of the pods.
func (p *Panels) PodsInPlace() app.UI {
	p.InPlace = true
	many := p.s.Run() != nil && chart.Highest(p.s.Run().Frames(p.s.Workload())) > inOneRow // than have room in one row of each box
	return p.podsBox(parts.Marked("pods-panel in-place", "many", many), nil)
}

// inOneRow is up to how many pods, those that terminate included, two boxes beside a lesson show in one row.
const inOneRow = 20

func (p *Panels) podsBar() app.UI {
	say := p.s.Lang().Say
	return app.Elem("div").Class("pods-bar").Body(
		app.Elem("div").Class("pods-by").Role("group").Aria("label", say("pods-by")).Body(
			p.groupButton(ByReplicaSet, "by-revision"),
			p.groupButton(ByNode, "by-node"),
		),
		&parts.Check{Act: "pods-order", Class: "pods-order", Text: say("pods-order"), Title: say("pods-order-is"),
			On: p.Pods.Order, Off: p.by() == ByNode, Do: act.PodsOrder},
	)
}

func (p *Panels) groupButton(by string, label lang.Message) app.UI {
	return &parts.Button{Act: "pods-by", Class: "button", Text: p.s.Lang().Say(label), Attributes: parts.Attributes{Pressed: strconv.FormatBool(p.by() == by)}, Do: act.PodsBy, Value: by, Data: "value"}
}

// podsShown is what the person chose in the pod view, and what JavaScript has of it.
type podsShown struct {
	By    string // empty: as the lesson needs it
	Order bool
	Card  string // the pod under the pointer, namespace/name; empty for none
	Late  bool   // the pods on the screen are behind the cursor: a push waits

	key    podsKey
	next   time.Time // no push before
	groups string
	rows   string
	shown  string                 // the card
	sets   map[string]*chart.Sets // by Deployment
	ranks  map[string]podRank     // by pod, as far as they are ranked
}

// podsKey is what the tiles depend on. Availability comes at whole seconds.
type podsKey struct {
	run      *engine.Run
	record   int
	seconds  int64
	by       string
	order    bool
	card     string
	computed int    // a card shows a pod's whole life
	workload string // whose ReplicaSets have the chart's colours
	lang     lang.Lang
}

// podGroup is the heading of some tiles.
type podGroup struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Swatch   string `json:"swatch"` // class of its line in the chart; empty if it has none there
	Count    string `json:"count"`  // 5 of 10
	Hint     string `json:"hint"`   // what that means
	Size     int    `json:"size"`   // how many of the rows are its tiles
	Numbered int    `json:"numbered"`

	tiles []past.PodTile
}

// podView is what JavaScript draws: the groups, and the pods of all groups one after the other.
type podView struct {
	Groups []podGroup
	Rows   string // a pod a line: namespace/name, a tab, its node
	States []byte
}

// podRank is the place of a pod in its ReplicaSet's order of deletion, from 1.
type podRank struct {
	place, of int
	why       string
}

// numbered is how many tiles show their place in the order of deletion.
const numbered = 5

// pushPods sends JavaScript what changed of the tiles, if they are visible, and skips frames if that is expensive.
func (p *Panels) pushPods(now time.Time) {
	s, v := p.s, &p.Pods
	if p.Tab != "pods" && !p.InPlace || app.IsServer {
		return
	}
	key := podsKey{run: s.Run(), record: s.Cursor.Record, seconds: s.Cursor.T / cursor.Second, by: p.by(), order: v.Order, card: v.Card, workload: s.Workload(), lang: s.Lang()}
	if s.Run() != nil && v.Card != "" {
		key.computed = s.Run().Len()
	}
	if v.Late = key != v.key && now.Before(v.next); v.Late || key == v.key {
		return
	}
	v.key = key
	start := time.Now()
	view := p.PodView()
	groups := browser.JSON(view.Groups)
	browser.Pods(renewed(&v.groups, groups), renewed(&v.rows, view.Rows), view.States)
	if card := renewed(&v.shown, browser.JSON(p.PodCard())); card != nil {
		browser.PodCard(v.shown)
	}
	if cost := time.Since(start); cost > cheapPush {
		v.next = start.Add(max(dearPush, min(16*cost, slowestPush)))
	}
}

// cheapPush is what a push may cost in every frame. A more expensive push is delayed, but not for long.
const (
	cheapPush   = time.Millisecond
	dearPush    = 36 * time.Millisecond // in every third frame at most
	slowestPush = 100 * time.Millisecond
)

// renewed stores a new value and returns it, nil if it has not changed.
func renewed(have *string, now string) any {
	if *have == now {
		return nil
	}
	*have = now
	return now
}

// PodView sorts the pods at the cursor into groups.
func (p *Panels) PodView() podView {
	s := p.s
	p.Pods.ranks = nil
	if s.Run() == nil {
		return podView{Groups: []podGroup{}}
	}
	tiles := s.Run().Past().Pods(s.Cursor.Record, s.Cursor.T)
	if p.by() == ByNode {
		return viewOf(joinRest(s.Lang(), groupByNode(s.Lang(), tiles)))
	}
	groups := joinRest(s.Lang(), p.groupByReplicaSet(tiles))
	if p.Pods.Order {
		p.Pods.ranks = map[string]podRank{}
		for i := range groups {
			p.rank(&groups[i])
		}
	}
	return viewOf(groups)
}

// groupsMax bounds the boxes of pods: a browser takes half a second to lay out a thousand.
const groupsMax = 60

// joinRest puts the pods of the groups beyond the first ones into one group.
func joinRest(l lang.Lang, groups []podGroup) []podGroup {
	if len(groups) <= groupsMax {
		return groups
	}
	rest := podGroup{ID: "others", Title: l.Say("of-others", len(groups)-groupsMax+1)}
	for _, g := range groups[groupsMax-1:] {
		rest.tiles = append(rest.tiles, g.tiles...)
	}
	rest.count(l, len(rest.tiles))
	return append(groups[:groupsMax-1], rest)
}

// viewOf writes the groups' tiles one after the other.
func viewOf(groups []podGroup) podView {
	v := podView{Groups: groups}
	var rows strings.Builder
	for i := range groups {
		breath.Take()
		g := &groups[i]
		g.Size = len(g.tiles)
		for k := range g.tiles {
			if rows.Len() > 0 {
				rows.WriteByte('\n')
			}
			rows.WriteString(g.tiles[k].Key)
			rows.WriteByte('\t')
			rows.WriteString(g.tiles[k].Node)
			v.States = append(v.States, byte(g.tiles[k].State))
		}
	}
	v.Rows = rows.String()
	return v
}

// groupByNode puts the pods without a node first, then the nodes by name.
func groupByNode(l lang.Lang, tiles []past.PodTile) []podGroup {
	at := map[string]int{}
	groups := []podGroup{}
	for _, t := range tiles {
		i, ok := at[t.Node]
		if !ok {
			i = len(groups)
			at[t.Node] = i
			groups = append(groups, podGroup{ID: "node/" + t.Node, Title: cmp.Or(t.Node, l.Say("on-no-node"))})
		}
		groups[i].tiles = append(groups[i].tiles, t)
	}
	sort.Slice(groups, func(i, k int) bool { return groups[i].ID < groups[k].ID })
	for i := range groups {
		groups[i].count(l, len(groups[i].tiles))
	}
	return groups
}

// count sets how many pods of a group are available, of how many.
func (g *podGroup) count(l lang.Lang, of int) {
	available := 0
	for i := range g.tiles {
		if g.tiles[i].State == past.PodAvailable {
			available++
		}
	}
	g.Count, g.Hint = l.Say("n-of", available, of), l.Say("n-of-available", available, of)
}

// groupByReplicaSet lists the ReplicaSets of each workload in the order of the chart's legend, then the others.
// A ReplicaSet with no pods and none desired is left out.
func (p *Panels) groupByReplicaSet(tiles []past.PodTile) []podGroup {
	byOwner := map[string][]past.PodTile{}
	var owners []string
	for i := 0; len(tiles) > 0; i++ {
		breath.Often()
		n := siblings(tiles)
		owner := command.KeyNamespace(tiles[0].Key) + "/" + tiles[0].Set
		if byOwner[owner] == nil {
			owners = append(owners, owner)
			byOwner[owner] = tiles[:n:n]
		} else { // the pods of another one come in between, by their names
			byOwner[owner] = append(byOwner[owner], tiles[:n]...)
		}
		tiles = tiles[n:]
	}
	groups := p.knownGroups(byOwner)
	for _, owner := range owners {
		if byOwner[owner] == nil {
			continue
		}
		g := podGroup{ID: owner, Title: cmp.Or(command.Name(owner), p.s.Lang().Say("of-no-set")), tiles: byOwner[owner]}
		g.count(p.s.Lang(), len(g.tiles))
		groups = append(groups, g)
	}
	return groups
}

// siblings is how many tiles at the front belong to one ReplicaSet. Sorted by name, they nearly always stand together.
func siblings(tiles []past.PodTile) int {
	first := &tiles[0]
	namespace := first.Key[:strings.IndexByte(first.Key, '/')+1]
	n := 1
	for n < len(tiles) && tiles[n].Set == first.Set && strings.HasPrefix(tiles[n].Key, namespace) {
		n++
	}
	return n
}

// knownGroups moves the ReplicaSets that the charts know out of byOwner.
func (p *Panels) knownGroups(byOwner map[string][]past.PodTile) []podGroup {
	s := p.s
	groups := []podGroup{}
	for _, workload := range s.Run().Workloads() {
		breath.Often()
		frames := s.Run().Frames(workload)
		here := chart.FrameAt(frames, s.Cursor.Place)
		if here < 0 {
			continue
		}
		for k, rs := range p.setsOf(workload) {
			owner := command.Namespace(workload) + "/" + rs.Name
			g := podGroup{ID: owner, Title: chart.Label(rs.Revision, rs.Image), tiles: byOwner[owner]}
			of := len(g.tiles) // of a ReplicaSet that has lost its workload, of which no frame says a number
			if f := frames[here].ReplicaSet(rs.Name); f != nil {
				g.Title, of = chart.Label(f.Revision, rs.Image), f.Spec
			}
			if len(g.tiles) == 0 && of == 0 {
				continue
			}
			if workload == s.Workload() {
				g.Swatch = fmt.Sprintf("sw-rs-%d sw-%s", k%chart.Colors, chart.Pattern(k))
			} else {
				g.Title = command.Name(workload) + " " + g.Title
			}
			g.count(s.Lang(), of)
			groups = append(groups, g)
			delete(byOwner, owner)
		}
	}
	return groups
}

// setsOf returns the ReplicaSets of a workload in the order of their appearance.
func (p *Panels) setsOf(workload string) []chart.Set {
	if p.Pods.sets[workload] == nil {
		p.Pods.sets[workload] = &chart.Sets{}
	}
	return p.Pods.sets[workload].Of(p.s.Run(), workload)
}

// rank sorts a ReplicaSet's tiles by the order of deletion. Terminating pods come last.
func (p *Panels) rank(g *podGroup) {
	order := p.s.Run().Past().DeletionOrder(g.ID, p.s.Cursor.Record, p.s.Cursor.T)
	at := make(map[string]int, len(g.tiles))
	for i := range g.tiles {
		at[g.tiles[i].Key] = i
	}
	sorted := make([]past.PodTile, 0, len(g.tiles))
	for place, r := range order {
		i, ok := at[r.Key]
		if !ok {
			continue
		}
		delete(at, r.Key)
		sorted = append(sorted, g.tiles[i])
		p.Pods.ranks[r.Key] = podRank{place: place + 1, of: len(order), why: r.Why}
	}
	g.Numbered = min(len(sorted), numbered)
	for _, t := range g.tiles {
		if _, left := at[t.Key]; left {
			sorted = append(sorted, t)
		}
	}
	g.tiles = sorted
}
