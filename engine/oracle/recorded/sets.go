package recorded

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/controllers/statefulset"
)

// syncer is a controller that is driven one sync at a time.
type syncer interface{ Sync(key api.Key) error }

var (
	statefulSetKey = api.Key{Kind: api.KindStatefulSet, Namespace: namespace, Name: workload}
	daemonSetKey   = api.Key{Kind: api.KindDaemonSet, Namespace: namespace, Name: workload}
)

// newSet returns the controller of StatefulSets or DaemonSets.
func newSet(kind api.Kind, s *apiserver.Server) syncer {
	if kind == api.KindStatefulSet {
		return statefulset.New(s)
	}
	return daemon.New(s)
}

// setKey names the workload of a scenario about a StatefulSet or a DaemonSet.
func (c *cluster) setKey() api.Key {
	if api.Kind(c.scenario.Kind) == api.KindStatefulSet {
		return statefulSetKey
	}
	return daemonSetKey
}

// createSet makes the nodes, of which a DaemonSet knows, and the workload.
func (c *cluster) createSet() {
	s := &c.scenario.Spec
	for _, n := range c.kubelet.nodes {
		c.must(c.createNode(n.name))
	}
	deliver(c.server)
	meta := api.ObjectMeta{Name: workload, Namespace: namespace, Labels: map[string]string{"app": workload}}
	if c.setKey() == statefulSetKey {
		set := &api.StatefulSet{ObjectMeta: meta, Spec: api.StatefulSetSpec{Replicas: s.Replicas, Selector: selector(),
			Template: c.templates.of(s.Image), PodManagementPolicy: s.PodManagementPolicy, MinReadySeconds: s.MinReadySeconds,
			RevisionHistoryLimit: s.RevisionHistoryLimit, UpdateStrategy: api.StatefulSetUpdateStrategy{Type: s.Strategy}}}
		if s.Strategy == "" {
			set.Spec.UpdateStrategy.RollingUpdate = &api.RollingUpdateStatefulSet{Partition: s.Partition, MaxUnavailable: s.MaxUnavailable}
		}
		if s.OrdinalsStart > 0 {
			set.Spec.Ordinals = &api.StatefulSetOrdinals{Start: s.OrdinalsStart}
		}
		c.store(set)
		return
	}
	set := &api.DaemonSet{ObjectMeta: meta, Spec: api.DaemonSetSpec{Selector: selector(), Template: c.setTemplate(s.Image),
		MinReadySeconds: s.MinReadySeconds, RevisionHistoryLimit: s.RevisionHistoryLimit,
		UpdateStrategy: api.DaemonSetUpdateStrategy{Type: s.Strategy}}}
	if s.Strategy == "" {
		set.Spec.UpdateStrategy.RollingUpdate = &api.RollingUpdateDeployment{MaxUnavailable: s.MaxUnavailable, MaxSurge: s.MaxSurge}
	}
	c.store(set)
}

func (c *cluster) store(set api.Object) {
	decode.Default(set)
	_, err := c.user.Create(set, "created", nil)
	c.must(err)
}

// setTemplate returns the template of an image, with the scenario's node selector.
func (c *cluster) setTemplate(image string) api.PodTemplateSpec {
	if have, ok := c.templates[image]; ok {
		return have
	}
	t := template(image, c.scenario.Spec.NodeSelector)
	c.templates[image] = t
	return t
}

// setOperations are all that recordings of StatefulSets and DaemonSets know.
var setOperations = map[string]operation{
	"set-image": func(c *cluster, op *Op) error {
		return c.changeSet(func(s *api.StatefulSet) { s.Spec.Template = c.setTemplate(op.Image) },
			func(d *api.DaemonSet) { d.Spec.Template = c.setTemplate(op.Image) })
	},
	"scale": func(c *cluster, op *Op) error {
		return c.changeSet(func(s *api.StatefulSet) { s.Spec.Replicas = op.number() }, nil)
	},
	"set-partition": func(c *cluster, op *Op) error {
		return c.changeSet(func(s *api.StatefulSet) {
			r := api.RollingUpdateStatefulSet{}
			if have := s.Spec.UpdateStrategy.RollingUpdate; have != nil {
				r = *have
			}
			r.Partition = op.number()
			s.Spec.UpdateStrategy = api.StatefulSetUpdateStrategy{Type: api.RollingUpdate, RollingUpdate: &r}
			decode.DefaultStatefulSet(s)
		}, nil)
	},
	"undo": (*cluster).undoSet,
	"delete": func(c *cluster, _ *Op) error {
		return c.user.Delete(c.setKey(), apiserver.DeleteOptions{}, "deleted", nil)
	},
	"delete-pod":  operations["delete-pod"],
	"ready-pod":   operations["ready-pod"],
	"unready-pod": operations["unready-pod"],
	"drain":       operations["drain"],
	"cordon":      whileThere(operations["cordon"]),
	"uncordon":    whileThere(operations["uncordon"]),
	"add-node": func(c *cluster, op *Op) error {
		c.kubelet.nodes = append(c.kubelet.nodes, &node{name: op.Node})
		return c.createNode(op.Node)
	},
	"delete-node": whileThere((*cluster).deleteNode),
	"label-node": func(c *cluster, op *Op) error {
		return c.changeNode(op.Node, func(n *api.Node) {
			if n.Labels == nil {
				n.Labels = map[string]string{} // DeepCopy has made it ours otherwise
			}
			n.Labels[op.Key] = op.Value
		})
	},
	"taint": func(c *cluster, op *Op) error {
		return c.changeNode(op.Node, func(n *api.Node) {
			n.Spec.Taints = append(n.Spec.Taints, api.Taint{Key: op.Key, Effect: op.Value})
		})
	},
}

// whileThere makes an operation on a node that was deleted do nothing.
func whileThere(do operation) operation {
	return func(c *cluster, op *Op) error {
		if c.kubelet.node(op.Node) == nil {
			return nil
		}
		return do(c, op)
	}
}

// changeSet updates the workload.
func (c *cluster) changeSet(statefulSet func(*api.StatefulSet), daemonSet func(*api.DaemonSet)) error {
	o, err := c.user.Get(c.setKey())
	if err != nil {
		return err
	}
	o = o.Copy()
	switch o := o.(type) {
	case *api.StatefulSet:
		statefulSet(o)
	case *api.DaemonSet:
		daemonSet(o)
	}
	_, err = c.user.Update(o, "changed", nil)
	return err
}

// undoSet is kubectl rollout undo without a revision (K-20): the template of the one before the last comes back.
func (c *cluster) undoSet(*Op) error {
	o, err := c.user.Get(c.setKey())
	if err != nil {
		return err
	}
	revisions := c.user.OwnedBy(api.KindControllerRevision, o.Meta().UID)
	if len(revisions) < 2 {
		return errors.New("no last revision to roll back to")
	}
	slices.SortFunc(revisions, func(a, b api.Object) int {
		return int(a.(*api.ControllerRevision).Revision - b.(*api.ControllerRevision).Revision)
	})
	t := revisions[len(revisions)-2].(*api.ControllerRevision).Template
	return c.changeSet(func(s *api.StatefulSet) { s.Spec.Template = t }, func(d *api.DaemonSet) { d.Spec.Template = t })
}

func (c *cluster) createNode(name string) error {
	_, err := c.user.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: name}}, "registered", nil)
	return err
}

func (c *cluster) changeNode(name string, change func(*api.Node)) error {
	o, err := c.user.Get(api.Key{Kind: api.KindNode, Name: name})
	if err != nil {
		return fmt.Errorf("nodes %q not found", name)
	}
	n := o.(*api.Node).DeepCopy()
	change(n)
	_, err = c.user.Update(n, "changed", nil)
	return err
}

// deleteNode takes a node away, with the pods on it.
func (c *cluster) deleteNode(op *Op) error {
	k := c.kubelet
	k.nodes = slices.DeleteFunc(k.nodes, func(n *node) bool { return n.name == op.Node })
	for _, p := range k.all() {
		if p.NodeName == op.Node {
			k.remove(k.byName[p.Name])
		}
	}
	return c.user.Delete(api.Key{Kind: api.KindNode, Name: op.Node}, apiserver.DeleteOptions{}, "deleted", nil)
}
