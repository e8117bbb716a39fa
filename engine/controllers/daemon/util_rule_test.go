package daemon

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestBounds is DS-3: both bounds round up, and if both come out as nothing one pod may be unavailable.
func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		surge, unavailable *api.IntOrString
		desired            int
		s, u               int
	}{
		{api.Int(0), api.Int(1), 4, 0, 1},
		{api.Int(0), api.Str("10%"), 5, 0, 1},
		{api.Int(0), api.Str("25%"), 9, 0, 3},
		{api.Str("25%"), api.Int(0), 9, 3, 0},
		{api.Str("10%"), api.Int(0), 5, 1, 0},
		{api.Int(0), api.Str("0%"), 5, 0, 1},
		{api.Int(0), api.Int(0), 0, 0, 0},
		{api.Int(0), api.Int(9), 4, 0, 9},
	} {
		ds := newDaemonSet(t)
		ds.Spec.UpdateStrategy.RollingUpdate = &api.RollingUpdateDeployment{MaxSurge: tt.surge, MaxUnavailable: tt.unavailable}
		if s, u := Bounds(ds, tt.desired); s != tt.s || u != tt.u {
			t.Errorf("%v and %v of %d: %d and %d, want %d and %d", tt.surge, tt.unavailable, tt.desired, s, u, tt.s, tt.u)
		}
	}
	ds := newDaemonSet(t)
	onDelete(ds)
	if s, _ := Bounds(ds, 4); s != 0 || allowsSurge(ds) {
		t.Error("OnDelete has no surge")
	}
}

// TestAllowsSurge is DS-4.
func TestAllowsSurge(t *testing.T) {
	for _, tt := range []struct {
		surge *api.IntOrString
		want  bool
	}{{api.Int(0), false}, {api.Str("0%"), false}, {api.Int(1), true}, {api.Str("1%"), true}} {
		ds := newDaemonSet(t)
		ds.Spec.UpdateStrategy.RollingUpdate.MaxSurge = tt.surge
		wantEqual(t, tt.surge.String(), allowsSurge(ds), tt.want)
	}
}

// TestTolerations is DS-5.
func TestTolerations(t *testing.T) {
	list := daemonTolerations(template(t, "v1").Spec)
	var got []string
	for _, x := range list {
		got = append(got, x.Key+":"+x.Effect)
	}
	want := []string{"node.kubernetes.io/not-ready:NoExecute", "node.kubernetes.io/unreachable:NoExecute",
		"node.kubernetes.io/disk-pressure:NoSchedule", "node.kubernetes.io/memory-pressure:NoSchedule",
		"node.kubernetes.io/pid-pressure:NoSchedule", "node.kubernetes.io/unschedulable:NoSchedule"}
	if !slices.Equal(got, want) {
		t.Errorf("tolerations %q, want %q", got, want)
	}
	if host := daemonTolerations(template(t, "v1", `"hostNetwork":true`).Spec); len(host) != 7 {
		t.Errorf("on the host's network: %+v", host)
	}
	own := template(t, "v1", `"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}]`).Spec
	if list := daemonTolerations(own); len(list) != 6 || list[0].TolerationSeconds != nil || own.Tolerations[0].TolerationSeconds == nil {
		t.Errorf("a limited toleration of its own must become permanent: %+v", list)
	}
	spec := own.WithTolerations(list)
	if len(spec.Tolerations) != 6 || spec.Tolerations[3] != list[3] || spec.Equal(own) {
		t.Errorf("the derived spec has %+v", spec.Tolerations)
	}
}

// TestNodeShouldRun is DS-6.
func TestNodeShouldRun(t *testing.T) {
	taint := func(key, effect string) api.Taint { return api.Taint{Key: key, Effect: effect} }
	for _, tt := range []struct {
		name      string
		spec      string
		node      api.Node
		run, stay bool
	}{
		{"plain", `"hostNetwork":false`, api.Node{}, true, true},
		{"cordoned", `"hostNetwork":false`, api.Node{Spec: api.NodeSpec{Unschedulable: true,
			Taints: []api.Taint{taint(api.TaintNodeUnschedulable, api.NoSchedule)}}}, true, true},
		{"not Ready", `"hostNetwork":false`, api.Node{Status: api.NodeStatus{Conditions: []api.Condition{{Type: "Ready", Status: "False"}}}}, true, true},
		{"node name", `"nodeName":"n"`, api.Node{}, true, true},
		{"other node name", `"nodeName":"m"`, api.Node{}, false, false},
		{"selector", `"nodeSelector":{"disk":"ssd"}`, api.Node{}, false, false},
		{"selector matches", `"nodeSelector":{"disk":"ssd"}`, api.Node{ObjectMeta: api.ObjectMeta{Labels: map[string]string{"disk": "ssd"}}}, true, true},
		{"affinity", `"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[` +
			`{"matchExpressions":[{"key":"disk","operator":"Exists"}]}]}}}`, api.Node{}, false, false},
		{"NoSchedule", `"hostNetwork":false`, api.Node{Spec: api.NodeSpec{Taints: []api.Taint{taint("k", api.NoSchedule)}}}, false, true},
		{"NoExecute", `"hostNetwork":false`, api.Node{Spec: api.NodeSpec{Taints: []api.Taint{taint("k", api.NoExecute)}}}, false, false},
		{"both", `"hostNetwork":false`, api.Node{Spec: api.NodeSpec{Taints: []api.Taint{taint("k", api.NoExecute), taint("l", api.NoSchedule)}}}, false, false},
		{"PreferNoSchedule", `"hostNetwork":false`, api.Node{Spec: api.NodeSpec{Taints: []api.Taint{taint("k", "PreferNoSchedule")}}}, true, true},
		{"tolerated", `"tolerations":[{"key":"k","operator":"Exists"}]`, api.Node{Spec: api.NodeSpec{Taints: []api.Taint{taint("k", api.NoExecute)}}}, true, true},
		{"dead", `"hostNetwork":false`, api.Node{Spec: api.NodeSpec{Taints: []api.Taint{taint(api.TaintNodeUnreachable, api.NoSchedule),
			taint(api.TaintNodeUnreachable, api.NoExecute)}}}, false, true},
	} {
		ds := newDaemonSet(t)
		ds.Spec.Template = template(t, "v1", tt.spec)
		tt.node.Name = "n"
		if run, stay := NodeShouldRunDaemonPod(ds, &tt.node); run != tt.run || stay != tt.stay {
			t.Errorf("%s: run %t, stay %t; want %t, %t", tt.name, run, stay, tt.run, tt.stay)
		}
	}
}

// TestOrder is the order of a node's pods (DS-8): those with a node, the oldest, by name.
func TestOrder(t *testing.T) {
	pod := func(name, node string, created api.Time) *api.Pod {
		return &api.Pod{ObjectMeta: api.ObjectMeta{Name: name, CreationTimestamp: created}, NodeName: node}
	}
	list := []*api.Pod{pod("d", "", 1), pod("c", "n", 3), pod("b", "n", 2), pod("a", "n", 3)}
	slices.SortFunc(list, byCreation)
	if got := list[0].Name + list[1].Name + list[2].Name + list[3].Name; got != "bacd" {
		t.Errorf("order %s, want bacd", got)
	}
}

// TestUpdated: a pod has the present template by its hash or by the count of templates (DS-10).
func TestUpdated(t *testing.T) {
	for _, tt := range []struct {
		hash, generation string
		want             bool
	}{{"h", "1", true}, {"g", "2", true}, {"g", "1", false}, {"", "", false}} {
		pod := &api.Pod{ObjectMeta: api.ObjectMeta{Labels: map[string]string{
			api.ControllerRevisionHashLabel: tt.hash, api.PodTemplateGenerationLabel: tt.generation}}}
		wantEqual(t, tt.hash+tt.generation, isPodUpdated(pod, "h", 2), tt.want)
	}
}
