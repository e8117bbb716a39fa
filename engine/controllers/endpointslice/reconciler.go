package endpointslice

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/why"
)

// group is the endpoints of a Service that have the same ports.
type group struct {
	key     string
	ports   []api.EndpointPort
	members []*member // in the order in which the pods were created
}

// plan is what a reconcile will write.
type plan struct {
	svc                    *api.Service
	most                   int // endpoints in a slice
	create, update, remove []*api.EndpointSlice
	same                   []*api.EndpointSlice
}

// reconcile compares the pods of a Service with its slices (E-1, E-3; reconcileByAddressType).
func (c *Controller) reconcile(svc *api.Service, existing []*api.EndpointSlice) error {
	groups, missing := c.groups(svc)
	p := &plan{svc: svc, most: c.Max}
	byPorts := map[string][]*api.EndpointSlice{}
	for _, slice := range existing {
		breath.Often()
		if slice.IsOwnedBy(svc.UID) {
			byPorts[portsKey(slice.Ports)] = append(byPorts[portsKey(slice.Ports)], slice)
		} else {
			p.remove = append(p.remove, slice)
		}
	}
	for _, g := range groups {
		p.place(g, c.views[svc.Key()], byPorts[g.key])
		delete(byPorts, g.key)
	}
	for _, slice := range existing { // their ports are no longer wanted
		breath.Often()
		if slices.Contains(byPorts[portsKey(slice.Ports)], slice) {
			p.remove = append(p.remove, slice)
		}
	}
	p.keepOne(existing)
	p.hint()
	return errors.Join(missing, c.finalize(p))
}

// groups returns the endpoints that a Service should have. A pod whose node does not exist is left out, and the Service is looked at
// again (E-1).
func (c *Controller) groups(svc *api.Service) (list []*group, missing error) {
	v, byPorts := c.view(svc), map[string]*group{}
	for o := range c.pods.Cache.All() {
		pod := o.(*api.Pod)
		breath.Often()
		if pod.Namespace != svc.Namespace {
			continue
		}
		m := c.member(v, pod)
		if !m.counts {
			continue
		}
		g := byPorts[m.key]
		if g == nil {
			g = &group{key: m.key, ports: m.ports}
			byPorts[g.key] = g
			list = append(list, g)
		}
		if m.node == nil && !svc.Spec.PublishNotReadyAddresses {
			missing = errors.Join(missing, fmt.Errorf("skipping Pod %s for Service %s/%s: Node %s Not Found", pod.Name, svc.Namespace, svc.Name, pod.NodeName))
			continue
		}
		m.group, m.placed = g, false
		g.members = append(g.members, m)
	}
	return list, missing
}

// place puts the endpoints of a group into its slices (E-3, reconcileByPortMapping): first those that have a place, then into slices
// that change anyway, the fullest first, then all into the one slice that they fill best, or into new ones.
func (p *plan) place(g *group, v *view, existing []*api.EndpointSlice) {
	var changed, same []*api.EndpointSlice
	for _, old := range existing {
		breath.Often()
		kept, differs := v.keep(g, old)
		switch {
		case differs && len(kept) == 0:
			p.remove = append(p.remove, old)
		case differs || !maps.Equal(ownLabels(old.Labels), ownLabels(p.svc.Labels)):
			slice := api.Shallow(old)
			slice.Endpoints, slice.Labels = endpointsOf(kept), labelsOf(p.svc)
			changed = append(changed, slice)
		default:
			same = append(same, old)
		}
	}
	left := slices.DeleteFunc(g.members, func(m *member) bool { return m.placed })
	fill := func(slice *api.EndpointSlice) {
		n := min(len(left), max(0, p.most-len(slice.Endpoints)))
		slice.Endpoints = append(slice.Endpoints, endpointsOf(left[:n])...)
		left = left[n:]
	}
	slices.SortStableFunc(changed, func(a, b *api.EndpointSlice) int { return len(b.Endpoints) - len(a.Endpoints) })
	for _, slice := range changed {
		fill(slice)
	}
	for len(left) > 0 {
		breath.Often()
		slice := newSlice(p.svc, g.ports)
		if i := bestFit(same, len(left), p.most); i >= 0 {
			slice = api.Shallow(same[i])
			slice.Endpoints = slices.Clone(slice.Endpoints)
			changed, same = append(changed, slice), slices.Delete(same, i, i+1)
		} else {
			p.create = append(p.create, slice)
		}
		fill(slice)
	}
	p.update, p.same = append(p.update, changed...), append(p.same, same...)
}

// bestFit returns the index of the slice that is closest to full with n more endpoints, -1 if none has room (getSliceToFill).
func bestFit(list []*api.EndpointSlice, n, most int) int {
	best, room := -1, most
	for i, slice := range list {
		if left := most - n - len(slice.Endpoints); n < most && left >= 0 && left < room {
			best, room = i, left
		}
	}
	return best
}

// keepOne leaves an empty slice where none would be left.
func (p *plan) keepOne(existing []*api.EndpointSlice) {
	if len(existing) != len(p.remove) || len(p.create) > 0 {
		return
	}
	if len(p.remove) == 1 && isPlaceholder(p.remove[0], p.svc) {
		p.remove = nil
		return
	}
	p.create = append(p.create, newSlice(p.svc, []api.EndpointPort{}))
}

// hint sets the hints of all slices, and changes those that have wrong ones (E-6).
func (p *plan) hint() {
	for _, slice := range p.same {
		breath.Often()
		if misled(p.svc.Spec.TrafficDistribution, slice) {
			slice = api.Shallow(slice)
			slice.Endpoints = slices.Clone(slice.Endpoints)
			p.update = append(p.update, slice)
		}
	}
	for _, slice := range slices.Concat(p.create, p.update) {
		breath.Often()
		hint(p.svc.Spec.TrafficDistribution, slice)
	}
}

// finalize writes what was planned. A slice that would be deleted takes the place of a new one.
func (c *Controller) finalize(p *plan) error {
	var reused []*api.EndpointSlice
	p.remove = slices.DeleteFunc(p.remove, func(old *api.EndpointSlice) bool {
		breath.Often()
		if len(p.create) == 0 || !old.IsOwnedBy(p.svc.UID) {
			return false
		}
		last := len(p.create) - 1
		slice := p.create[last]
		slice.Name, p.create = old.Name, p.create[:last]
		reused = append(reused, slice)
		return true
	})
	if !p.svc.Terminating() {
		for _, slice := range p.create {
			breath.Often()
			if err := c.created(c.client.Create(slice, "creates a slice of "+endpoints(slice), whyPlaced)); err != nil {
				return fmt.Errorf("failed to create EndpointSlice for Service %s/%s: %w", p.svc.Namespace, p.svc.Name, err)
			}
		}
	}
	for _, slice := range append(p.update, reused...) {
		breath.Often()
		if err := c.updated(slice); err != nil {
			return fmt.Errorf("failed to update %s EndpointSlice for Service %s/%s: %w", slice.Name, p.svc.Namespace, p.svc.Name, err)
		}
	}
	for _, slice := range p.remove {
		breath.Often()
		if err := c.client.Delete(slice.Key(), apiserver.DeleteOptions{}, "deletes a slice without endpoints", whyPlaced); err != nil {
			return fmt.Errorf("failed to delete %s EndpointSlice for Service %s/%s: %w", slice.Name, p.svc.Namespace, p.svc.Name, err)
		}
		c.tracker.expect(slice, gone)
	}
	return nil
}

// created notes a slice that was written.
func (c *Controller) created(o api.Object, err error) error {
	if err == nil {
		c.tracker.expect(o.(*api.EndpointSlice), o.Meta().Generation)
	}
	return err
}

// updated writes a slice. A slice that replaces another one has no version yet, so it takes that of the stored slice.
func (c *Controller) updated(slice *api.EndpointSlice) error {
	if slice.UID == "" {
		stored, err := c.client.Get(slice.Key())
		if err != nil {
			return err
		}
		m := stored.Meta()
		slice.UID, slice.ResourceVersion, slice.CreationTimestamp = m.UID, m.ResourceVersion, m.CreationTimestamp
	}
	return c.created(c.client.Update(slice, "updates the slice: "+endpoints(slice), whyPlaced))
}

// endpoints counts the endpoints of a slice for a record.
func endpoints(slice *api.EndpointSlice) string {
	n, ready := len(slice.Endpoints), 0
	for _, e := range slice.Endpoints {
		if e.Conditions.Ready {
			ready++
		}
	}
	return fmt.Sprintf("%d endpoints, %d ready", n, ready)
}

var whyPlaced = why.Note("E-3", reconcilerGo+"reconcileByPortMapping", "endpoints keep their slice; new ones fill slices that change anyway")
