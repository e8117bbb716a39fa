package kubectl

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/scenario"
)

// diff shows what apply would change, as diff -u -N does. Like that, it fails if there is a difference.
//
// Simplified: the names of its folders have no number behind them, and the files no time.
func (k *Kubectl) diff(c *command, manifests []scenario.Manifest) error {
	c.Dry = line.DryServer
	return forEach(c, manifests, func(m scenario.Manifest) (string, error) {
		live, before := k.store.Get(m.Object.Key()), ""
		if live != nil {
			before = print.ObjectText(live, "yaml")
		}
		if _, err := k.applyOne(c, m); err != nil {
			return "", err
		}
		key := m.Object.Key()
		file := strings.Trim(strings.ReplaceAll(kinds.Of(key.Kind).APIVersion(), "/", ".")+"."+string(key.Kind)+"."+key.Namespace+"."+key.Name, ".")
		text := unified(before, print.ObjectText(c.last, "yaml"))
		if text == "" {
			return "", nil
		}
		c.answer.Failed = true
		return "diff -u -N /tmp/LIVE/" + file + " /tmp/MERGED/" + file + "\n--- /tmp/LIVE/" + file + "\n+++ /tmp/MERGED/" + file + "\n" + text, nil
	})
}
