package kubectl

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// scalable is an object of a kind for which line.Scales holds.
type scalable interface {
	api.Object
	Replicas() int32
	SetReplicas(n int32)
}

// scale changes spec.replicas (K-34).
func (k *Kubectl) scale(c *command) error {
	n := c.Int("replicas", -1)
	var refused error // what is refused ends the command, and is all that it says
	err := forEach(c, k.objects(c), func(key api.Key) (string, error) {
		if refused != nil {
			return "", nil
		}
		o, err := k.find(c, key)
		if scaled, ok := o.(scalable); ok && err == nil && c.Dry != line.DryClient {
			err = k.scaleOne(c, api.Copy(scaled), int32(n))
		}
		if err != nil {
			if o != nil || len(c.given) > 0 {
				refused = err
			}
			return "", err
		}
		if c.draft == nil {
			c.draft = print.Served(o)
		}
		if group := kinds.Of(key.Kind).Group; group == "" || group == "apps" { // what kubectl has looked up, with the number
			api.Fields(c.draft).Make("spec")["replicas"] = float64(n)
		}
		return c.said(key, "scaled"), nil
	})
	return cmp.Or(refused, err)
}

func (k *Kubectl) scaleOne(c *command, scaled scalable, n int32) error {
	want, have := c.Flags["current-replicas"], scaled.Replicas()
	if want != "" && want != "-1" && want != strconv.Itoa(int(have)) {
		return fmt.Errorf("Expected replicas to be %s, was %d", want, have)
	}
	scaled.SetReplicas(n)
	if _, err := k.put(c, scaled, fmt.Sprintf("scaled to %d", n)); err != nil || !c.On("record") {
		return err
	}
	recorded := api.Copy(c.last) // a second write
	c.record(recorded)
	_, err := k.put(c, recorded, "annotated")
	return err
}
