package kubectl

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
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
	if n < 0 || n > math.MaxInt32 { // a larger number has no place in the server, either
		return errors.New("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0")
	}
	if c.Int("current-replicas", -1) < -1 {
		return errors.New("The --current-replicas must specify an integer of -1 or greater")
	}
	return k.each(c, func(o api.Object) (string, error) {
		if scaled, ok := api.Copy(o).(scalable); ok {
			if err := k.scaleOne(c, scaled, int32(n)); err != nil {
				return "", err
			}
			shown := api.Copy(o).(scalable) // what kubectl has looked up, with the number
			shown.SetReplicas(int32(n))
			c.last = shown
		}
		return c.said(o.Key(), "scaled"), nil
	})
}

func (k *Kubectl) scaleOne(c *command, scaled scalable, n int32) error {
	want, have := c.Flags["current-replicas"], scaled.Replicas()
	if want != "" && want != "-1" && want != strconv.Itoa(int(have)) && c.Dry != line.DryClient {
		return fmt.Errorf("Expected replicas to be %s, was %d", want, have)
	}
	scaled.SetReplicas(n)
	c.record(scaled)
	_, err := k.put(c, scaled, fmt.Sprintf("scaled to %d", n))
	return err
}
