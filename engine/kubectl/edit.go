package kubectl

import (
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// edit names the object that is to be opened; Run puts it into the answer.
func (k *Kubectl) edit(c *command) error {
	if len(c.Targets) > 1 {
		return read.ErrOneObject
	}
	key := c.Targets[0]
	if _, err := k.client.Get(key); err != nil {
		return err
	}
	c.print(line.ResourceName(key) + " opens in the editor; what is changed there is applied")
	return nil
}
