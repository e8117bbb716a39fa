package recorded

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference is one thing in which ours differs from the recording.
type Difference struct {
	File     string
	Scenario string
	Mode     string
	T        int64
	What     string
}

// String returns the difference on one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s %s t=%d: %s", d.File, d.Scenario, d.Mode, d.T, d.What)
}

// differ collects the differences between the recorded (want) and our (got) behaviour.
type differ struct {
	found []string
	names *strings.Replacer // our names of ReplicaSets -> recorded ones
}

// compareStates compares two states. ReplicaSets are matched by the order of their creation.
func compareStates(want, got *State) []string {
	d := differ{names: renamer(want, got)}
	if got.Deployment == nil {
		return []string{"Deployment exists: want true, got false"}
	}
	d.deployments(want.Deployment, got.Deployment)
	if len(want.ReplicaSets) != len(got.ReplicaSets) {
		d.add("ReplicaSets", imagesOf(want), imagesOf(got))
		return d.found
	}
	for i := range want.ReplicaSets {
		d.replicaSets(&want.ReplicaSets[i], &got.ReplicaSets[i])
	}
	return d.found
}

// renamer replaces our names of ReplicaSets by the recorded ones.
func renamer(want, got *State) *strings.Replacer {
	var pairs []string
	for i := range min(len(want.ReplicaSets), len(got.ReplicaSets)) {
		pairs = append(pairs, got.ReplicaSets[i].Name, want.ReplicaSets[i].Name)
	}
	return strings.NewReplacer(pairs...)
}

func imagesOf(s *State) (images []string) {
	for i := range s.ReplicaSets {
		images = append(images, s.ReplicaSets[i].Image)
	}
	return images
}

func (d *differ) deployments(want, got *Deployment) {
	d.values("Deployment", [][3]any{
		{"generation", want.Generation, got.Generation}, {"observedGeneration", want.Observed, got.Observed},
		{"revision", want.Revision, got.Revision}, {"image", want.Image, got.Image}, {"replicas", want.Replicas, got.Replicas},
		{"paused", want.Paused, got.Paused}, {"strategy", want.Strategy, got.Strategy}, {"surge", want.Surge, got.Surge},
		{"unavailable", want.Unavailable, got.Unavailable}, {"minReadySeconds", want.MinReady, got.MinReady},
		{"deadline", want.Deadline, got.Deadline}, {"history limit", want.History, got.History},
		{"replicas/updated/ready/available/unavailable", want.Status, got.Status},
		{"terminating", optional(want.Terminating), optional(got.Terminating)},
		{"collisions", optional(want.Collisions), optional(got.Collisions)},
	})
	d.annotations("Deployment", want.Annotations, got.Annotations)
	d.conditions("Deployment", want.Conditions, got.Conditions)
}

func (d *differ) replicaSets(want, got *ReplicaSet) {
	d.values("ReplicaSet "+want.Name, [][3]any{
		{"image", want.Image, got.Image}, {"revision", want.Revision, got.Revision}, {"history", want.History, got.History},
		{"created", want.Created, got.Created}, {"generation", want.Generation, got.Generation},
		{"observedGeneration", want.Observed, got.Observed}, {"size", want.Replicas, got.Replicas},
		{"replicas/labelled/ready/available", want.Status, got.Status},
		{"terminating", optional(want.Terminating), optional(got.Terminating)},
		{"desired-replicas", want.Desired, got.Desired}, {"max-replicas", want.Max, got.Max},
		{"minReadySeconds", want.MinReady, got.MinReady},
	})
	d.annotations("ReplicaSet "+want.Name, want.Annotations, got.Annotations)
	d.conditions("ReplicaSet "+want.Name, want.Conditions, got.Conditions)
}

func (d *differ) values(of string, rows [][3]any) {
	for _, r := range rows {
		if r[1] != r[2] {
			d.add(fmt.Sprintf("%s %s", of, r[0]), r[1], r[2])
		}
	}
}

func (d *differ) annotations(of string, want, got map[string]string) {
	if len(want)+len(got) > 0 && !maps.Equal(want, got) {
		d.add(of+" annotations", want, got)
	}
}

// conditions compares conditions in their order.
func (d *differ) conditions(of string, want, got []Condition) {
	clean := func(list []Condition) (out []Condition) {
		for _, c := range list {
			if c.Reason == "FailedCreate" {
				c.Message = "" // it contains the random name of a pod
			}
			c.Message = d.names.Replace(c.Message)
			out = append(out, c)
		}
		return out
	}
	want, got = clean(want), clean(got)
	if !slices.Equal(want, got) {
		d.add(of+" conditions", want, got)
	}
}

func (d *differ) add(what string, want, got any) {
	d.found = append(d.found, fmt.Sprintf("%s: want %+v, got %+v", what, want, got))
}

// optional returns a number as text, "none" if it is absent.
func optional(n *int32) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
}
