package upstream

import (
	"encoding/json"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/sim"
)

// hpaPod is a pod as both sides get it. Times are virtual ms.
type hpaPod struct {
	name, phase, ready string // ready is empty if there is no such condition
	start, transition  int64
	started, deleted   bool
	request, sidecar   string // cpu; empty if not requested
}

type hpaUsage struct{ at, window, value int64 }

func (p *hpaPair) chance(percent int) bool { return p.random.IntN(100) < percent }

// manifest is a random autoscaler.
func (p *hpaPair) manifest() map[string]any {
	low := 1 + p.random.IntN(4)
	spec := map[string]any{"maxReplicas": low + p.random.IntN(25),
		"scaleTargetRef": map[string]any{"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"}}
	if p.chance(80) {
		spec["minReplicas"] = low
	}
	if p.chance(90) {
		metric := func() map[string]any {
			name, target := "cpu", map[string]any{"type": "Utilization", "averageUtilization": 10 + p.random.IntN(130)}
			if p.chance(20) {
				name = "memory"
			}
			if name == "memory" && p.chance(50) {
				target = map[string]any{"type": "AverageValue", "averageValue": "500Mi"}
			}
			return map[string]any{"type": "Resource", "resource": map[string]any{"name": name, "target": target}}
		}
		list := []any{metric()}
		if p.chance(40) {
			list = append(list, metric())
		}
		spec["metrics"] = list
	}
	if p.chance(65) {
		behavior := map[string]any{}
		for _, direction := range []string{"scaleUp", "scaleDown"} {
			if p.chance(75) {
				behavior[direction] = p.rules()
			}
		}
		spec["behavior"] = behavior
	}
	return map[string]any{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
		"metadata": map[string]any{"name": "web", "namespace": "default"}, "spec": spec}
}

func (p *hpaPair) rules() map[string]any {
	rules := map[string]any{}
	if p.chance(60) {
		rules["stabilizationWindowSeconds"] = p.random.IntN(5) * 30
	}
	if p.chance(60) {
		rules["selectPolicy"] = []string{"Max", "Max", "Min", "Min", "Disabled"}[p.random.IntN(5)]
	}
	if p.chance(30) {
		rules["tolerance"] = []string{"0", "0.05", "70m", "0.3", "1.5"}[p.random.IntN(5)]
	}
	if p.chance(70) {
		var list []any
		for range 1 + p.random.IntN(3) {
			policy := map[string]any{"type": "Pods", "value": 1 + p.random.IntN(6), "periodSeconds": 15 * (1 + p.random.IntN(8))}
			if p.chance(50) {
				policy["type"], policy["value"] = "Percent", 5+p.random.IntN(150)
			}
			list = append(list, policy)
		}
		rules["policies"] = list
	}
	return rules
}

// change makes the pods, what they use and sometimes the target something else.
func (p *hpaPair) change() {
	if p.chance(3) {
		p.setTarget(int32(p.random.IntN(30)))
	} else if p.target == 0 && p.chance(60) {
		p.setTarget(int32(1 + p.random.IntN(8)))
	}
	for name, pod := range p.pods {
		if p.chance(8) {
			p.podCache.deliver(pod.real(p), nil, 0)
			p.server.Store.Remove(api.Key{Kind: api.KindPod, Namespace: "default", Name: name}, sim.Record{Actor: "user"})
			delete(p.pods, name)
		}
	}
	for len(p.pods) < int(min(p.target, 20)) && p.chance(85) {
		p.next++
		p.put(&hpaPod{name: "web-" + strconv.Itoa(p.next)})
	}
	for _, name := range p.names() {
		if pod := p.pods[name]; pod.phase == "" || p.chance(25) {
			p.put(p.randomPod(name))
		}
	}
	p.usage = map[string]hpaUsage{}
	if p.chance(3) {
		return
	}
	level := []int{1, 30, 90, 100, 110, 200, 400}[p.random.IntN(7)]
	for _, name := range p.names() {
		if p.chance(93) {
			p.usage[name] = hpaUsage{p.now - int64(p.random.IntN(40_000)), 30_000, int64(p.random.IntN(level+1) + level/2)}
		}
	}
	if p.chance(5) {
		p.usage["stranger"] = hpaUsage{p.now, 30_000, 100}
	}
}

// names lists the pods by creation.
func (p *hpaPair) names() (names []string) {
	for i := range p.next + 1 {
		if name := "web-" + strconv.Itoa(i); p.pods[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

func (p *hpaPair) randomPod(name string) *hpaPod {
	second := func(n int) int64 { return (p.now/1000 - int64(p.random.IntN(n))) * 1000 }
	pod := &hpaPod{name: name, phase: "Running", ready: "True", start: second(700), started: p.chance(97), request: strconv.Itoa(50+p.random.IntN(200)) + "m",
		deleted: p.chance(4)}
	pod.transition = pod.start + int64(p.random.IntN(120))*1000
	if p.chance(15) {
		pod.ready = "False"
	} else if p.chance(3) {
		pod.ready = ""
	}
	switch p.random.IntN(14) {
	case 0:
		pod.phase = "Pending"
	case 1:
		pod.phase = "Failed"
	case 2:
		pod.phase = "Succeeded"
	}
	if p.chance(10) {
		pod.sidecar = strconv.Itoa(10+p.random.IntN(50)) + "m"
	}
	if p.chance(1) {
		pod.request = ""
	}
	return pod
}

// put stores a pod on both sides.
func (p *hpaPair) put(pod *hpaPod) {
	var before convert.Object
	if old := p.pods[pod.name]; old != nil {
		before = old.real(p)
	}
	p.pods[pod.name] = pod
	p.podCache.deliver(before, pod.real(p), 0)
	p.server.Store.Put(pod.ours(), sim.Record{Actor: "user"})
}

// real is the pod as the real controller gets it.
func (o *hpaPod) real(p *hpaPair) *corev1.Pod {
	pod := &corev1.Pod{}
	tree := map[string]any{"metadata": map[string]any{"name": o.name, "namespace": "default", "labels": map[string]any{"app": "web"}}, "spec": o.spec()}
	text, err := json.Marshal(tree)
	must(err)
	must(json.Unmarshal(text, pod))
	pod.Status.Phase = corev1.PodPhase(o.phase)
	if o.started {
		at := metav1.NewTime(p.time(o.start))
		pod.Status.StartTime = &at
	}
	if o.ready != "" {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionStatus(o.ready), LastTransitionTime: metav1.NewTime(p.time(o.transition))}}
	}
	if o.deleted {
		at := metav1.NewTime(p.time(o.start))
		pod.DeletionTimestamp = &at
	}
	return pod
}

func (o *hpaPod) spec() map[string]any {
	container := func(name, cpu string) map[string]any {
		c := map[string]any{"name": name, "image": "nginx"}
		if cpu != "" {
			c["resources"] = map[string]any{"requests": map[string]any{"cpu": cpu}}
		}
		return c
	}
	spec := map[string]any{"containers": []any{container("web", o.request)}}
	if o.sidecar != "" {
		side := container("side", o.sidecar)
		side["restartPolicy"] = "Always"
		spec["initContainers"] = []any{side, container("init", "3")}
	}
	return spec
}

// ours is the pod as our controller gets it.
func (o *hpaPod) ours() *api.Pod {
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": o.name, "namespace": "default", "labels": map[string]any{"app": "web"}}, "spec": o.spec()})
	must(err)
	decoded, issues := decode.JSON(api.KindPod, text)
	if len(issues) > 0 {
		panic(issues[0].Message)
	}
	pod := decoded.(*api.Pod)
	pod.Status.Phase = o.phase
	if o.started {
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: "PodScheduled", Status: "True", LastTransitionTime: api.TimeAt(o.start)})
	}
	if o.ready != "" {
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: "Ready", Status: o.ready, LastTransitionTime: api.TimeAt(o.transition)})
	}
	if o.deleted {
		pod.DeletionTimestamp = api.TimeAt(o.start)
	}
	return pod
}

// setTarget scales the target, as a person would.
func (p *hpaPair) setTarget(n int32) {
	user, key := p.server.Client("user"), api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	p.target = n
	o, err := user.Get(key)
	must(err)
	d := api.Copy(o).(*api.Deployment)
	d.Spec.Replicas = &n
	_, err = user.Update(d, "scaled", nil)
	must(err)
}
