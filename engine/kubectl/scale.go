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
	n, err := strconv.ParseInt(c.Flags["replicas"], 10, 32)
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
	o = o.Copy()
	replicas := replicasOf(o)
	want := c.Flags["current-replicas"]
	if want != "" && want != "-1" && want != strconv.Itoa(int(**replicas)) && c.Dry != line.DryClient {
		return fmt.Errorf("Expected replicas to be %s, was %d", want, **replicas)
	}
	*replicas = api.Ptr(n)
	c.record(o)
	_, err = k.put(c, o, fmt.Sprintf("scaled to %d", n))
	return err
}

// replicasOf returns where an object of a kind that can be scaled keeps spec.replicas.
func replicasOf(o api.Object) **int32 {
	switch o := o.(type) {
	case *api.ReplicaSet:
		return &o.Spec.Replicas
	case *api.StatefulSet:
		return &o.Spec.Replicas
	}
	return &o.(*api.Deployment).Spec.Replicas
}
