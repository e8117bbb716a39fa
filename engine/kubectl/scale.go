package kubectl

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// scale changes spec.replicas (K-34).
func (k *Kubectl) scale(c *command) error {
	n, err := strconv.ParseInt(c.Flags["replicas"], 10, 32) // a larger number has no place in the server, either
	if err != nil || n < 0 {
		return errors.New("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0")
	}
	if have, err := strconv.Atoi(c.Flags["current-replicas"]); err == nil && have < -1 {
		return errors.New("The --current-replicas must specify an integer of -1 or greater")
	}
	if len(k.objects(c)) == 0 {
		return errors.New("no objects passed to scale")
	}
	return k.each(c, func(key api.Key) (string, error) {
		if err := k.scaleOne(c, key, int32(n)); err != nil {
			return "", err
		}
		return c.said(key, "scaled"), nil
	})
}

func (k *Kubectl) scaleOne(c *command, key api.Key, n int32) error {
	o, err := k.client.Get(key)
	if err != nil {
		return err
	}
	scaled := o.Copy().(api.Scalable)
	want, have := c.Flags["current-replicas"], scaled.Replicas()
	if want != "" && want != "-1" && want != strconv.Itoa(int(have)) && c.Dry != line.DryClient {
		return fmt.Errorf("Expected replicas to be %s, was %d", want, have)
	}
	scaled.SetReplicas(n)
	c.record(scaled)
	_, err = k.put(c, scaled, fmt.Sprintf("scaled to %d", n))
	return err
}
