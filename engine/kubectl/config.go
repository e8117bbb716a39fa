package kubectl

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// setContext makes a namespace the current one.
func (k *Kubectl) setContext(c *command) error {
	if ns := c.SetsNamespace(); ns != "" {
		k.Namespace = ns
	}
	c.print(fmt.Sprintf("Context %q modified.", line.Context))
	return nil
}
