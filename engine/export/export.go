// Package export writes a run as files: its objects as manifests, and its trace with the scorecards. The page
// and the command call it, so that both hand out the same bytes.
package export

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/past"
)

// Manifests returns the cluster's objects after a record as a YAML stream that can be applied: as kubectl get -o yaml prints them,
// without the fields that the server, kubectl and controllers add. Objects that a controller owns, or that are being deleted, are left out.
func Manifests(p *past.Past, record int) string {
	var all []string
	for _, kind := range kinds.Where((*kinds.Kind).Applied) {
		if kind == api.KindNode {
			continue // a cluster has nodes of its own
		}
		for _, o := range p.Objects(kind, record) {
			breath.Take()
			if m := o.Meta(); m.ControllerOf() == nil && !m.Terminating() {
				all = append(all, manifest(o))
			}
		}
	}
	return strings.Join(all, "---\n")
}

// Trace writes the trace of a finished run as lines of JSON, and after it the scorecards.
func Trace(w io.Writer, r *engine.Run) error {
	if err := engine.WriteJSON(w, r); err != nil {
		return err
	}
	return Lines(w, Scorecards(r))
}

// Lines writes values as JSON, one on each line.
func Lines[T any](w io.Writer, list []T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// FileName names a file after a workload: web-trace.jsonl for Deployment/shop/web. A name that Kubernetes would refuse does not get
// into a run; without a workload it is rollplay-trace.jsonl.
func FileName(workload, suffix string) string {
	return cmp.Or(workload[strings.LastIndexByte(workload, '/')+1:], "rollplay") + suffix
}

// Scorecard is the last kind of line of a trace. Scripts rely on the field names: add fields, never remove one.
type Scorecard struct {
	Kind string `json:"kind"` // rollout
	forecast.Rollout
	Duration      int64  `json:"duration"`           // ms
	LowestPercent int    `json:"lowestPercent"`      // of desired, rounded down
	WaitsFor      string `json:"waitsFor,omitempty"` // of a rollout that is not finished
}

// Scorecards returns the scorecards of all workloads of a run, workload by workload.
func Scorecards(r *engine.Run) (cards []Scorecard) {
	f := forecast.New(r.Past())
	for _, workload := range r.Workloads() {
		for _, x := range forecast.Ask(r.Past(), f.Rollouts(workload)) {
			card := Scorecard{Kind: "rollout", Rollout: x, Duration: x.Duration(), LowestPercent: x.LowestPercent()}
			if !x.Done() {
				card.WaitsFor = diagnosis.Reason(r.Past(), workload).Text
			}
			cards = append(cards, card)
		}
	}
	return cards
}

// filledIn are the fields of the metadata that only the server writes.
var filledIn = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"}

// noted are the beginnings of annotations in which controllers and kubectl note something about the object.
var noted = []string{"deployment.kubernetes.io/", api.LastAppliedAnnotation, api.TemplateGenerationAnnotation}

// manifest prints an object as a person would write it to make it again: as -o yaml does, without its status and without what the
// server, controllers and kubectl have added.
func manifest(o api.Object) string {
	tree := print.ObjectTree(o)
	delete(tree, "status")
	meta := api.Fields(tree).Object("metadata")
	for _, name := range filledIn {
		delete(meta, name)
	}
	annotations := meta.Object("annotations")
	maps.DeleteFunc(annotations, func(annotation string, _ any) bool {
		return slices.ContainsFunc(noted, func(begin string) bool { return strings.HasPrefix(annotation, begin) })
	})
	if len(annotations) == 0 {
		delete(meta, "annotations")
	}
	if o.Key().Kind == api.KindPod {
		delete(api.Fields(tree).Object("spec"), "nodeName") // the scheduler has chosen it
	}
	return print.TreeText(tree, "yaml")
}
