package scenario

import (
	"strings"
	"testing"
)

// The Scenario document and the manifests of a text, which `kubectl apply` gets alone.
func TestSourceParts(t *testing.T) {
	const scenario = "# Lesson\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  seed: 1 \n"
	const setting = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {seed: 1}\n"
	const deploy = "apiVersion: apps/v1\nkind: Deployment\n"
	for _, c := range []struct{ name, text, setting, manifests string }{
		{"empty", "", "", ""},
		{"a manifest alone", deploy, "", deploy},
		{"both", scenario + "---\n" + deploy, setting, deploy},
		{"the other way round, with an empty document", "---\n" + deploy + "---\n# nothing\n---\n" + scenario, setting, deploy},
		{"two manifests", deploy + "---\n" + deploy, "", deploy + "---\n" + deploy},
		{"a Scenario of somebody else", "apiVersion: other/v1\nkind: Scenario\n", "", "apiVersion: other/v1\nkind: Scenario\n"},
		{"quoted", "apiVersion: \"rollplay/v1alpha1\"\nkind: 'Scenario'\n", "apiVersion: rollplay/v1alpha1\nkind: Scenario\n", ""},
		{"comments behind the words", strings.ReplaceAll(scenario, "\n", " # mine\n") + "--- # the objects\n" + deploy, setting, " # the objects\n" + deploy},
		{"an end of a document", scenario + "...\n" + deploy, setting, deploy},
		{"line ends of Windows", "kind: a\r\n---\r\nkind: b\r\n", "", "kind: a\r\n---\nkind: b\r\n"},
	} {
		s, other := Read(c.text), Read(strings.Replace(scenario, "seed: 1", "seed: 2", 1))
		if !s.SameSetting(Read(c.setting)) || s.SameSetting(other) || s.ManifestText() != c.manifests {
			t.Errorf("%s: setting %v, manifests %q\nwant %q, %q", c.name, s.setting(), s.ManifestText(), c.setting, c.manifests)
		}
	}
}

const quotas = `apiVersion: v1
kind: ResourceQuota
metadata: {name: a}
spec: {hard: {pods: 1}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: b, namespace: shop}
spec: {hard: {pods: 1}}
`

// A Library reads a text once, and of another text what is new in it. What it says does not depend on what it read before.
func TestLibrary(t *testing.T) {
	texts := []string{quotas, strings.Replace(quotas, "name: a", "name: c", 1), "# moved\n\n" + quotas, strings.Replace(quotas, "name: a", "name: b, namespace: shop", 1),
		strings.Replace(quotas, "pods: 1", "pod: 1: 2", 1), strings.Replace(quotas, "pods: 1", "pods: -1", 1), quotas + "---\n" + quotas, quotas}
	var l Library
	for round := range 2 {
		for i, text := range texts {
			got, gotWrong := l.Read(text).Manifests()
			want, wantWrong := Read(text).Manifests()
			if len(got) != len(want) || len(gotWrong) != len(wantWrong) {
				t.Fatalf("%d.%d: got %v and %v, want %v and %v", round, i, got, gotWrong, want, wantWrong)
			}
			for j := range got {
				if string(got[j].JSON) != string(want[j].JSON) || got[j].Object.Key() != want[j].Object.Key() {
					t.Errorf("%d.%d: got %s, want %s", round, i, got[j].JSON, want[j].JSON)
				}
			}
			for j := range gotWrong {
				if gotWrong[j] != wantWrong[j] {
					t.Errorf("%d.%d: got %v, want %v", round, i, gotWrong[j], wantWrong[j])
				}
			}
		}
	}
	alone := new(Library)
	if only := alone.Read(quotas); only != alone.Read(quotas) || alone.Over() {
		t.Error("the only text is read twice")
	}
	first := l.Read(texts[1])
	if l.Read(texts[1]) != first {
		t.Error("a text is read twice")
	}
	if m := first.docs[1].manifest; m == nil || m != l.Read(quotas).docs[1].manifest {
		t.Error("a document that stays is read twice")
	}
	for i := range 3 * sourcesMax {
		l.Read(strings.Repeat("#", i+1))
	}
	if len(l.sources) != sourcesMax || len(l.documents) != 0 {
		t.Errorf("%d texts and %d documents are kept", len(l.sources), len(l.documents))
	}
}

// TestSourceDiffers: what an edit concerns decides whether the commands of a run stay.
func TestSourceDiffers(t *testing.T) {
	const text = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {seed: 1, images: [{match: \"web:1\", pull: 2s}, {match: \"*\"}]}\n---\n" + quotas
	a := Read(text)
	for _, c := range []struct {
		old, now string
		adds     bool
	}{
		{"images: [", "images: [{match: web:broken, pull: fails}, ", true},
		{"images: [", "images: [{match: web:broken}, {match: web:slow}, ", true},
		{"images: [", "images: [ # as before\n ", true},
		{"images: [", "images: [{match: web:1}, ", false},
		{"images: [", "images: [{match: \"web:*n\", pull: fails}, ", false},
		{"images: [", "images: [{match: \"\"}, ", false},
		{"images: [", "images: [3, ", false},
		{"pull: 2s", "pull: 1s", false},
		{`{match: "web:1", pull: 2s}, `, "", false},
		{`, {match: "*"}]`, `, {match: "*"}, {match: web:broken}]`, false},
		{"seed: 1", "seed: 2", false},
		{"pods: 1", "pods: 2", false},
		{`images: [{match: "web:1", pull: 2s}, {match: "*"}]`, "", false},
	} {
		b := Read(strings.Replace(text, c.old, c.now, 1))
		if b.Text == text || a.AddsImages(b) != c.adds {
			t.Errorf("%s in place of %s only adds images: %v", c.now, c.old, !c.adds)
		}
	}
	if !a.AddsImages(a) || Read("").AddsImages(Read(quotas)) || !Read("").AddsImages(Read("# nothing\n")) {
		t.Error("texts without a Scenario are compared, too")
	}
	for text, empty := range map[string]bool{"": true, "# a\n---\n": true, "kind: [": false, quotas: false} {
		if Read(text).Empty() != empty {
			t.Errorf("%q is empty: %v", text, !empty)
		}
	}
}

func TestSourceObjects(t *testing.T) {
	a := Read(quotas)
	if !a.SharesObject(Read(quotas[strings.Index(quotas, "---"):])) || a.SharesObject(Read(strings.ReplaceAll(quotas, "metadata: {name", "metadata: {namespace: x, name"))) {
		t.Error("objects are shared if kind, namespace and name are the same")
	}
	if at := a.Line("ResourceQuota/shop/b"); at != 6 {
		t.Errorf("line %d, want 6", at)
	}
}
