package scenario_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestAddImage: the new entry is the first one, because the first match counts.
func TestAddImage(t *testing.T) {
	for text, want := range map[string]string{
		"kind: Scenario\nspec:\n  images:\n  - {match: a}\n":             "kind: Scenario\nspec:\n  images:\n  - X\n  - {match: a}\n",
		"kind: Scenario\nspec:\n    images:\n      - {match: a}\n---\nb": "kind: Scenario\nspec:\n    images:\n      - X\n      - {match: a}\n---\nb",
		"a: b\n---\nkind: Scenario\nspec:\n    seed: 1\n":                "a: b\n---\nkind: Scenario\nspec:\n    images:\n    - X\n    seed: 1\n",
		"kind: Scenario\nspec: {seed: 3}\n":                              "kind: Scenario\nspec: {images: [X], seed: 3}\n",
		"kind: Scenario\nspec:\n  images: [X]\n":                         "kind: Scenario\nspec:\n  images: [X]\n",
		"a: b\n":                                                         "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  images:\n  - X\n---\na: b\n",
		"%YAML 1.1\n---\na: b\n\n":                                       "%YAML 1.1\n---\na: b\n---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  images:\n  - X\n",
	} {
		if got, err := scenario.AddImage(text, "X"); err != nil || got != want {
			t.Errorf("%q becomes %q, want %q: %v", text, got, want, err)
		}
	}
}

// TestSetAndDropSpec: a field of the Scenario document is written and removed; a Scenario of another project is left alone.
func TestSetAndDropSpec(t *testing.T) {
	const other = "apiVersion: other/v1\nkind: Scenario\nspec: {seed: 1}\n"
	for _, c := range []struct{ text, set, dropped string }{
		{"kind: Scenario\nspec: {seed: 1}\n", "kind: Scenario\nspec: {seed: 7}\n", "kind: Scenario\nspec: {}\n"},
		{"apiVersion: rollplay/v2\nkind: Scenario\nspec:\n  seed: 1 # one\n  draws: keyed\n", "apiVersion: rollplay/v2\nkind: Scenario\nspec:\n  seed: 7 # one\n  draws: keyed\n",
			"apiVersion: rollplay/v2\nkind: Scenario\nspec:\n  draws: keyed\n"},
		{other, "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {seed: 7}\n---\n" + other, other},
		{"kind: Policy\n", "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {seed: 7}\n---\nkind: Policy\n", "kind: Policy\n"},
	} {
		set, err := scenario.SetSpec(c.text, []string{"seed"}, "7")
		dropped, wrong := scenario.DropSpec(c.text, "seed")
		if set != c.set || dropped != c.dropped || err != nil || wrong != nil {
			t.Errorf("%q becomes %q and %q: %v, %v", c.text, set, dropped, err, wrong)
		}
	}
}

// TestTryApply: the first place outside the field try is replaced, in front of it or behind it.
func TestTryApply(t *testing.T) {
	const head, try = "kind: Scenario\nspec:\n  title: a\n", "  try: {from: 'seed: 1', to: 'seed: 2'}\n"
	edit := &scenario.Try{From: "seed: 1", To: "seed: 2"}
	for text, want := range map[string]string{
		head + try + "  seed: 1\n":                            head + try + "  seed: 2\n",
		head + "  seed: 1\n" + try + "---\nx: {seed: 1}\n":    head + "  seed: 2\n" + try + "---\nx: {seed: 1}\n",
		"seed: 1\n---\n" + head + try:                         "seed: 2\n---\n" + head + try,
		head + try + "---\nx: {seed: 1}\n---\ny: {seed: 1}\n": head + try + "---\nx: {seed: 2}\n---\ny: {seed: 1}\n",
		"seed: 1\n": "seed: 2\n",
		head + try:  head + try,
	} {
		if got := edit.Apply(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
