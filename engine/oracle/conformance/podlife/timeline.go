// Package podlife compares the lives of pods on one node: upstream's whole kubelet (package realkubelet) and the engine's run the same
// scenario. What is random in reality, the phase of the kubelet's ticks and the jitter of its waits, is varied in several real runs.
// Timeouts of StopContainer are not statuses: they show in when and how containers end.
package podlife

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/rollplay/rollplay/engine/api"
)

// Entry is what happens to a pod at a moment, in ms: a status that the API receives, or an event.
type Entry struct {
	At        int64
	Pod, Text string
}

// Timeline is what happens on a node, in order.
type Timeline []Entry

// pull is a pull of an image that begins at a moment in ms.
type pull struct {
	image string
	at    int64
}

// turns says of each pull how many other ones of its ms came before it.
func (t Timeline) turns() map[pull]int {
	turns, count := map[pull]int{}, map[int64]int{}
	for _, e := range t {
		if _, image, ok := strings.Cut(e.Text, ` Pulling: Pulling image "`); ok {
			turns[pull{strings.TrimSuffix(image, `"`), e.At}] = count[e.At]
			count[e.At]++
		}
	}
	return turns
}

// killsSeveral says whether a pod's kubelet kills two containers within a minute, to restart them.
func (t Timeline) killsSeveral() bool {
	last := map[string]Entry{}
	for _, e := range t {
		if !strings.Contains(e.Text, " Killing: ") || strings.Contains(e.Text, " Killing: Stopping ") {
			continue
		}
		if before, ok := last[e.Pod]; ok && before.Text != e.Text && e.At-before.At < 60_000 {
			return true
		}
		last[e.Pod] = e
	}
	return false
}

// String prints a timeline.
func (t Timeline) String() string {
	var b strings.Builder
	for _, e := range t {
		fmt.Fprintf(&b, "%8d  %s  %s\n", e.At, e.Pod, e.Text)
	}
	return b.String()
}

// of returns the entries of a pod whose text begins with one of these words.
func (t Timeline) of(pod, word string) (list Timeline) {
	for _, e := range t {
		if e.Pod == pod && strings.HasPrefix(e.Text, word+" ") {
			list = append(list, e)
		}
	}
	return list
}

var (
	uids      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	imageSize = regexp.MustCompile(` Image size: \d+ bytes\.`)
	waits     = regexp.MustCompile(`in \S+ \(\S+ including waiting\)`)
)

// plain takes out of a text what differs in every run: UIDs, and sizes and times of pulls, in which reality counts the microseconds.
func plain(text string) string {
	return waits.ReplaceAllString(imageSize.ReplaceAllString(uids.ReplaceAllString(text, "UID"), ""), "in …")
}

// realStatus is the status of a real pod as text.
func realStatus(p *corev1.Pod) string {
	var b strings.Builder
	fmt.Fprintf(&b, "status %s%s", p.Status.Phase, terminating(p.DeletionTimestamp != nil, p.DeletionGracePeriodSeconds))
	for _, c := range p.Status.Conditions {
		fmt.Fprintf(&b, " %s=%s(%s)", c.Type, c.Status, c.Reason)
	}
	b.WriteString(observed(p.DeletionTimestamp != nil, p.Status.ObservedGeneration))
	for _, list := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for _, c := range list {
			started := c.Started != nil && *c.Started
			fmt.Fprintf(&b, " | %s %s ready=%t started=%t restarts=%d last %s", c.Name, realState(&c.State), c.Ready, started, c.RestartCount,
				realState(&c.LastTerminationState))
			for _, spec := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers) {
				b.WriteString(ofImage(spec.Name == c.Name, spec.Image, c.Image))
			}
		}
	}
	return b.String()
}

// observed is a generation that a change of the spec has made. A deletion counts, too, which the engine does not show.
func observed(terminating bool, generation int64) string {
	if terminating || generation < 2 {
		return ""
	}
	return fmt.Sprintf(" observed %d", generation)
}

// ofImage is the image of a container that has the name, if the pod is to have another one.
func ofImage(named bool, wanted, is string) string {
	if !named || wanted == is {
		return ""
	}
	return " image " + is
}

func terminating(yes bool, grace *int64) string {
	if !yes {
		return ""
	}
	return fmt.Sprintf(" terminating(%d)", *grace)
}

func realState(s *corev1.ContainerState) string {
	switch {
	case s.Waiting != nil:
		return "waiting:" + s.Waiting.Reason
	case s.Running != nil:
		return "running"
	case s.Terminated != nil:
		return fmt.Sprintf("terminated:%s(%d)", s.Terminated.Reason, s.Terminated.ExitCode)
	}
	return "-"
}

// ourStatus is the status of one of the engine's pods as the same text.
func ourStatus(p *api.Pod) string {
	var b strings.Builder
	fmt.Fprintf(&b, "status %s%s", p.Status.Phase, terminating(p.Terminating(), &p.DeletionGracePeriodSeconds))
	for _, c := range p.Status.Conditions {
		fmt.Fprintf(&b, " %s=%s(%s)", c.Type, c.Status, c.Reason)
	}
	b.WriteString(observed(p.Terminating(), p.Status.ObservedGeneration))
	for _, list := range [][]api.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for _, c := range list {
			fmt.Fprintf(&b, " | %s %s ready=%t started=%t restarts=%d last %s", c.Name, ourState(&c.State), c.Ready, c.Started, c.RestartCount,
				ourState(&c.LastState))
			for _, spec := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers) {
				b.WriteString(ofImage(spec.Name == c.Name, spec.Image, c.Image))
			}
		}
	}
	return b.String()
}

func ourState(s *api.ContainerState) string {
	switch s.Kind {
	case api.Waiting:
		return "waiting:" + s.Reason
	case api.Running:
		return "running"
	case api.Terminated:
		return fmt.Sprintf("terminated:%s(%d)", s.Reason, s.ExitCode)
	}
	return "-"
}
