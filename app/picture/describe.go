package picture

import (
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/words"
)

// sentence describes the telling moment, also for people who do not see the picture.
func (p *Picture) sentence(l lang.Lang) string {
	f := p.moment()
	s := l.Say("poster-moment", chart.Seconds(p.when), f.Desired, pods(l, f.Total), f.Available)
	if f.Terminating > 0 {
		s += l.Say("poster-terminating", f.Terminating)
	}
	return s
}

// bounds describes the bounds at the telling moment. It is "" if there are none, after a Deployment has been deleted.
func (p *Picture) bounds(l lang.Lang) string {
	f := p.moment()
	var parts []string
	if f.Upper > 0 {
		parts = append(parts, l.Say("poster-at-most", pods(l, f.Upper), f.Desired, f.Upper-f.Desired))
	}
	if f.Lower > 0 {
		parts = append(parts, l.Say("poster-at-least", f.Lower, f.Desired, f.Desired-f.Lower))
	}
	return strings.Join(parts, l.Say("poster-and"))
}

// Alt is what the picture shows, in place of the picture: its title and the moment.
func (p *Picture) Alt(l lang.Lang) string {
	return words.Visible(OneLine(l.In(p.Title)) + ". " + p.Description(l))
}

// commandsMax is how many commands a description lists: nobody listens to hundreds.
const commandsMax = 30

// Description describes the whole poster in words.
func (p *Picture) Description(l lang.Lang) string {
	parts := []string{l.Say("poster-pods", p.workload, chart.Seconds(p.begin), chart.Seconds(p.end)), l.Say("poster-at", p.sentence(l))}
	if b := p.bounds(l); b != "" {
		parts = append(parts, l.Say("poster-bounds", b))
	}
	for _, rs := range p.moment().ReplicaSets {
		parts = append(parts, l.Say("poster-revision", rs.Revision, p.images[rs.Name], pods(l, rs.Replicas)))
	}
	for i, c := range p.commands {
		if i == commandsMax {
			parts = append(parts, l.Say("and-more", len(p.commands)-i))
			break
		}
		parts = append(parts, l.Say("poster-command", chart.Seconds(c.T), c.Line))
	}
	return strings.Join(parts, l.Say("poster-stop")) + strings.TrimSpace(l.Say("poster-stop"))
}

func pods(l lang.Lang, n int) string { return l.Count(n, "one-pod", "n-pods") }

// OneLine writes a text of several lines as one.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
