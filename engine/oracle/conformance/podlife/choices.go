package podlife

import (
	"cmp"
	"slices"
	"strings"
)

// Choice is a named difference that is allowed, with exactly what it allows.
type Choice struct {
	Name, Reason string
	show         func(Timeline) Timeline // what is compared; nil: all of it
}

// Choices are the named differences.
var Choices = []Choice{
	{"settled", "of the statuses of one ms only the last one is compared: upstream's status manager and its worker race within a ms", settled},
	{"repeats", "an event that comes again, before another one of its container, is compared once: ours shows the first of a row", once},
	{"order", "events of one ms are compared in any order: containers of a pod stop in goroutines of their own", ordered},
	{"first-status", "the status without conditions that a pod has before its kubelet sees it is the API server's, which the other kinds judge",
		seen},
	{"empty-sandbox", "PodReadyToStartContainers is left out: upstream's fake runtime makes a sandbox in no time", sandboxLess},
	{"turns", "of pods whose images are asked for in one ms any may come first, since upstream's relist goes through a map: the real kubelet is told " +
		"whose turn it is in ours (Turn of realkubelet.Images)", nil},
	{"kills", "a sync that kills several containers kills them in the order of a map: ours does what one of up to eight real runs does", nil},
	{"races", "what goroutines of upstream do in one ms comes in any order, and a relist in the ms of an exit sees it or not: ours does what one " +
		"of up to three real runs with the same phase and jitter does", nil},
	{"ties", "what two timers bring in one ms comes in any order: if no such run does what ours does, one of up to eight others must, in which each pull, " +
		"start, exit, stop and answer of an image takes 0.3 ms more or less", nil},
}

// slack is how far the times of the two may be apart, in ms: a watch is rounded.
const slack = 1

// settled keeps the last status of each ms. The ms of the watch counts as one.
func settled(list Timeline) (out Timeline) {
	for i, e := range list {
		if strings.HasPrefix(e.Text, "status ") && i+1 < len(list) && list[i+1].At-e.At <= 2 {
			continue
		}
		if len(out) > 0 && out[len(out)-1].Text == e.Text && strings.HasPrefix(e.Text, "status ") {
			continue
		}
		out = append(out, e)
	}
	return out
}

// ordered sorts the events of each ms.
func ordered(list Timeline) Timeline {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Entry) int {
		if a.At != b.At || !strings.HasPrefix(a.Text, "event ") {
			return cmp.Compare(a.At, b.At)
		}
		return cmp.Compare(a.Text, b.Text)
	})
	return list
}

// repeated are parts of the events that come again with each sync of a pod.
var repeated = []string{" Unhealthy: ", " BackOff: ", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", " InspectFailed: "}

// once keeps the first of equal events of a container.
func once(list Timeline) (out Timeline) {
	last := map[string]map[string]bool{}
	for _, e := range list {
		field, rest, ok := strings.Cut(strings.TrimPrefix(e.Text, "event "), " ")
		if !ok || !strings.HasPrefix(e.Text, "event ") {
			out = append(out, e)
			continue
		}
		repeats := slices.ContainsFunc(repeated, func(part string) bool { return strings.Contains(rest, part) })
		if repeats && last[field][rest] {
			continue
		}
		if !repeats || last[field] == nil {
			last[field] = map[string]bool{}
		}
		last[field][rest] = true
		out = append(out, e)
	}
	return out
}

func seen(list Timeline) (out Timeline) {
	for _, e := range list {
		if !strings.HasPrefix(e.Text, "status Pending") || strings.Contains(e.Text, "=") {
			out = append(out, e)
		}
	}
	return out
}

func sandboxLess(list Timeline) (out Timeline) {
	for _, e := range list {
		var words []string
		for _, w := range strings.Split(e.Text, " ") {
			if !strings.HasPrefix(w, "PodReadyToStartContainers=") {
				words = append(words, w)
			}
		}
		e.Text = strings.Join(words, " ")
		if len(out) == 0 || out[len(out)-1].Text != e.Text || !strings.HasPrefix(e.Text, "status ") {
			out = append(out, e)
		}
	}
	return out
}
