package kubectl

import (
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// edit names the object that is to be opened; Run puts it into the answer.
func (k *Kubectl) edit(c *command) error {
	key, err := read.Edited(stored{k.store}, &c.Command)
	if err == nil {
		c.print(line.ResourceName(key) + " opens in the editor; what is changed there is applied")
	}
	return err
}
