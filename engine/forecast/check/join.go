package check

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// Join returns the report on an update that was judged in parts.
func Join(parts []*Report) *Report {
	all := &Report{Numbers: []Numbers{}, Findings: []Finding{}, Assumed: []string{}}
	for i, p := range parts {
		all.Numbers = append(all.Numbers, p.Numbers...)
		all.Findings = append(all.Findings, p.Findings...)
		all.Ignores = append(all.Ignores, p.Ignores...)
		all.Assumed, all.Notes = addNew(all.Assumed, p.Assumed), addNew(all.Notes, p.Notes)
		if p.Seeds > 0 && (all.Seeds == 0 || p.Seeds < all.Seeds) || i == 0 {
			all.Seeds = p.Seeds
		}
	}
	if len(all.Numbers) > 0 { // a part without a workload is no news
		all.Assumed = slices.DeleteFunc(all.Assumed, func(s string) bool { return s == nothing })
	}
	all.settle()
	return all
}

// addNew adds the texts that a list does not have.
func addNew(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// nothing is the note of a report on manifests without a workload.
const nothing = "there is no workload to judge"

// Nothing returns the report on manifests without a Deployment, StatefulSet or DaemonSet.
func Nothing(text string) *Report {
	r := &Report{Numbers: []Numbers{}, Findings: customs(text), Assumed: []string{nothing}}
	r.settle()
	return r
}

// customs lists the kinds with a pod template that are not modelled.
func customs(text string) (list []Finding) {
	for _, doc := range yamltext.Split(text) {
		d := treeOf(doc)
		kind, version := d.Text("kind"), d.Text("apiVersion")
		containers, _ := d.Object("spec").Object("template").Object("spec")["containers"].([]any)
		if len(containers) > 0 && (kinds.Custom(version) || !slices.Contains(runs, kind)) {
			list = append(list, Finding{Check: "modelled", Verdict: Unknown, Level: Warning, Line: doc.First + doc.FirstContent() - 1,
				Object: strings.ToLower(kind) + "/" + d.Object("metadata").Text("name"),
				Text:   "The kind " + kind + " of " + version + " is not modelled; nothing is known about its rollout."})
		}
	}
	return list
}
