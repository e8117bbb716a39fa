package recorded

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
)

// operation does what a person did; its error is the answer of kubectl or of the server.
type operation func(c *cluster, op *Op) error

// operations are all that recordings of Deployments know.
var operations = map[string]operation{
	"set-image": func(c *cluster, op *Op) error { return c.change(func(d *api.Deployment) { c.setImage(d, op.Image) }) },
	"scale": func(c *cluster, op *Op) error {
		return c.change(func(d *api.Deployment) { d.Spec.Replicas = op.number() })
	},
	"pause":               func(c *cluster, _ *Op) error { return c.change(func(d *api.Deployment) { d.Spec.Paused = true }) },
	"resume":              func(c *cluster, _ *Op) error { return c.change(func(d *api.Deployment) { d.Spec.Paused = false }) },
	"undo":                (*cluster).undo,
	"rollback-annotation": (*cluster).annotateRollback,
	"set-strategy":        func(c *cluster, op *Op) error { return c.change(op.setStrategy) },
	"set-min-ready": func(c *cluster, op *Op) error {
		return c.change(func(d *api.Deployment) { d.Spec.MinReadySeconds = *op.number() })
	},
	"set-deadline": func(c *cluster, op *Op) error {
		return c.change(func(d *api.Deployment) { d.Spec.ProgressDeadlineSeconds = op.number() })
	},
	"set-history": func(c *cluster, op *Op) error {
		return c.change(func(d *api.Deployment) { d.Spec.RevisionHistoryLimit = op.number() })
	},
	"annotate": func(c *cluster, op *Op) error {
		return c.change(func(d *api.Deployment) { d.SetAnnotation(op.Key, op.Value) })
	},
	"restart": func(c *cluster, op *Op) error { return c.change(op.restart) },
	"delete": func(c *cluster, _ *Op) error {
		return c.user.Delete(deploymentKey, apiserver.DeleteOptions{}, "deleted", nil)
	},
	"delete-pod":  (*cluster).deletePods,
	"ready-pod":   func(c *cluster, op *Op) error { return c.setPodsReady(op, true) },
	"unready-pod": func(c *cluster, op *Op) error { return c.setPodsReady(op, false) },
	"evict":       (*cluster).evictPods,
	"drain":       (*cluster).startDrain,
	"cordon":      func(c *cluster, op *Op) error { return c.onNode(op, func(n *node) { n.closed = true }) },
	"uncordon":    (*cluster).uncordon,
	"add-node":    (*cluster).addNode,
	"set-quota":   (*cluster).setQuota,
	"set-pdb":     func(c *cluster, op *Op) error { return c.setBudget(op.PDB) },
	"delete-pdb": func(c *cluster, _ *Op) error {
		return c.user.Delete(budgetKey, apiserver.DeleteOptions{}, "deleted", nil)
	},
	"force-rs": (*cluster).forceReplicaSet,
}

func (c *cluster) operate(op *Op) {
	known := operations
	if c.set != nil {
		known = setOperations
	}
	if err := known[op.Op](c, op); err != nil {
		c.opErrors = append(c.opErrors, err.Error())
	}
}

// number returns an operation's number, 0 if it has none.
func (op *Op) number() *int32 {
	if op.N == nil {
		return new(int32)
	}
	return api.Ptr(int32(*op.N))
}

// create makes what there is at t=0.
func (c *cluster) create() {
	s := &c.scenario.Spec
	if c.scenario.Quota != nil {
		c.must(c.setQuota(&Op{N: c.scenario.Quota}))
	}
	if c.set != nil {
		c.createSet()
	} else {
		c.createDeployment(s)
	}
	if c.scenario.PDB != nil {
		c.must(c.setBudget(c.scenario.PDB))
	}
}

func (c *cluster) createDeployment(s *Spec) {
	d := &api.Deployment{
		ObjectMeta: api.ObjectMeta{Name: workload, Namespace: namespace, Labels: map[string]string{"app": workload}},
		Spec: api.DeploymentSpec{Replicas: s.Replicas, Selector: selector(), Template: c.templates.of(s.Image), Paused: s.Paused,
			Strategy: api.DeploymentStrategy{Type: s.Strategy}, MinReadySeconds: s.MinReadySeconds,
			ProgressDeadlineSeconds: s.ProgressDeadlineSeconds, RevisionHistoryLimit: s.RevisionHistoryLimit},
	}
	if s.Strategy != api.Recreate {
		d.Spec.Strategy.RollingUpdate = &api.RollingUpdateDeployment{MaxSurge: s.MaxSurge, MaxUnavailable: s.MaxUnavailable}
	}
	decode.Default(d)
	_, err := c.user.Create(d, "created", nil)
	c.must(err)
}

func (c *cluster) must(err error) {
	if err != nil {
		panic("recorded: " + err.Error())
	}
}

// deployment returns a copy of the stored Deployment.
func (c *cluster) deployment() (*api.Deployment, error) {
	o, err := c.user.Get(deploymentKey)
	if err != nil {
		return nil, err
	}
	return o.(*api.Deployment).DeepCopy(), nil
}

// change updates the Deployment; the server may refuse.
func (c *cluster) change(edit func(*api.Deployment)) error {
	d, err := c.deployment()
	if err != nil {
		return err
	}
	old := d.DeepCopy()
	edit(d)
	if problems := validate.Update(d, old); len(problems) > 0 {
		return fmt.Errorf("%v", problems)
	}
	_, err = c.user.Update(d, "changed", nil)
	return err
}

// setImage changes the image and leaves the moment of a restart as it is.
func (c *cluster) setImage(d *api.Deployment, image string) {
	if at := d.Spec.Template.Annotations[api.RestartedAtAnnotation]; at != "" {
		image += "@" + at
	}
	d.Spec.Template = c.templates.of(image)
}

func (op *Op) setStrategy(d *api.Deployment) {
	d.Spec.Strategy = api.DeploymentStrategy{Type: op.Strategy}
	if op.Strategy == api.RollingUpdate {
		d.Spec.Strategy.RollingUpdate = &api.RollingUpdateDeployment{MaxSurge: op.MaxSurge, MaxUnavailable: op.MaxUnavailable}
	}
	decode.DefaultDeployment(d)
}

func (op *Op) restart(d *api.Deployment) {
	d.Spec.Template = d.Spec.Template.WithAnnotation(api.RestartedAtAnnotation, strconv.FormatInt(op.T, 10))
}

func (c *cluster) annotateRollback(op *Op) error {
	return c.change(func(d *api.Deployment) {
		d.SetAnnotation(api.RollbackToAnnotation, strconv.Itoa(int(*op.number())))
	})
}

// undo is kubectl rollout undo (K-20 to K-26).
func (c *cluster) undo(op *Op) error {
	d, err := c.deployment()
	if err != nil {
		return err
	}
	n := int64(*op.number())
	target := c.revision(d, n)
	switch {
	case target == nil && n > 0:
		return fmt.Errorf("unable to find specified revision %d in history", n)
	case target == nil:
		return fmt.Errorf("no rollout history found for deployment %q", workload)
	case d.Spec.Paused:
		return fmt.Errorf("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again")
	case target.Spec.Template.EqualIgnoreHash(&d.Spec.Template):
		return nil // skipped rollback
	}
	d.Spec.Template = target.Spec.Template.WithoutLabel(api.PodTemplateHashLabel)
	d.Annotations = deployment.AnnotationsAfterRollback(d, target)
	_, err = c.user.Update(d, "rolled back", nil)
	return err
}

// revision returns the ReplicaSet of a revision, that of the second highest one for 0; nil if there is none.
func (c *cluster) revision(d *api.Deployment, n int64) *api.ReplicaSet {
	byRevision := map[int64]*api.ReplicaSet{}
	var have []int64
	for _, o := range c.user.OwnedBy(api.KindReplicaSet, d.UID) {
		r, err := strconv.ParseInt(o.Meta().Annotations[api.RevisionAnnotation], 10, 64)
		if err == nil {
			byRevision[r] = o.(*api.ReplicaSet)
			have = append(have, r)
		}
	}
	if n > 0 {
		return byRevision[n]
	}
	slices.Sort(have)
	if len(have) < 2 {
		return nil
	}
	return byRevision[have[len(have)-2]]
}

// forceReplicaSet tampers with the size and the annotations of a ReplicaSet.
func (c *cluster) forceReplicaSet(op *Op) error {
	for o := range c.server.Store.Table(api.KindReplicaSet).All() {
		rs := o.(*api.ReplicaSet)
		if imageOf(&rs.Spec.Template) != op.Image {
			continue
		}
		rs = rs.DeepCopy()
		rs.Spec.Replicas = op.number()
		setAnnotation(&rs.ObjectMeta, api.DesiredReplicasAnnotation, op.Desired)
		setAnnotation(&rs.ObjectMeta, api.MaxReplicasAnnotation, op.Max)
		_, err := c.user.Update(rs, "forced", nil)
		return err
	}
	return fmt.Errorf("no ReplicaSet of %s", op.Image)
}

// quotaKey names the only ResourceQuota.
var quotaKey = api.Key{Kind: api.KindResourceQuota, Namespace: namespace, Name: "pods"}

// setQuota limits the number of pods, or lifts the limit.
func (c *cluster) setQuota(op *Op) error {
	stored, _ := c.server.Store.Get(quotaKey).(*api.ResourceQuota)
	if op.N == nil {
		if stored == nil {
			return nil
		}
		return c.user.Delete(quotaKey, apiserver.DeleteOptions{}, "deleted", nil)
	}
	hard := map[string]api.Quantity{"pods": api.NewQuantity(*op.N)}
	if stored == nil {
		_, err := c.user.Create(&api.ResourceQuota{ObjectMeta: api.ObjectMeta{Name: quotaKey.Name, Namespace: namespace},
			Spec: api.ResourceQuotaSpec{Hard: hard}}, "created", nil)
		return err
	}
	changed := stored.DeepCopy()
	changed.Spec.Hard = hard
	_, err := c.user.Update(changed, "changed", nil)
	return err
}
