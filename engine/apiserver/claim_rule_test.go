package apiserver_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestClaim is A-13: whether the ReplicaSet web, which selects app=web, keeps, adopts or releases a pod.
func TestClaim(t *testing.T) {
	const mine, other = "mine", "other" // controllers
	tests := []struct {
		name                   string
		controller, label      string
		ownerGoes, podGoes     bool
		namespace              string
		want                   bool
		wantAfter              string // the controller afterwards
		wantErr                string
		ownerReplaced, podGone bool
	}{
		{name: "mine", controller: mine, label: "web", want: true, wantAfter: mine},
		{name: "mine, and going", controller: mine, label: "web", podGoes: true, want: true, wantAfter: mine},
		{name: "mine, relabelled: released", controller: mine, label: "db"},
		{name: "mine, relabelled, but I go: kept as it is", controller: mine, label: "db", ownerGoes: true, wantAfter: mine},
		{name: "another's", controller: other, label: "web", wantAfter: other},
		{name: "an orphan: adopted", label: "web", want: true, wantAfter: mine},
		{name: "an orphan with other labels", label: "db"},
		{name: "an orphan, but I go", label: "web", ownerGoes: true},
		{name: "an orphan that goes", label: "web", podGoes: true},
		{name: "an orphan of another namespace", label: "web", namespace: "shop"},
		{name: "an orphan, but I was replaced since", label: "web", ownerReplaced: true,
			wantErr: "can't adopt Pod default/p (UID): can't recheck DeletionTimestamp: original ReplicaSet default/web is gone: got uid another, wanted "},
		{name: "an orphan that is gone by now", label: "web", podGone: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newRuleWorld(t)
			owner := w.replicaSet()
			if tt.ownerGoes {
				owner = api.Copy(owner)
				owner.DeletionTimestamp = api.TimeAt(0)
			}
			pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default", Labels: map[string]string{"app": tt.label}}, Spec: &api.PodSpec{}}
			if tt.namespace != "" {
				pod.Namespace = tt.namespace
			}
			if uid := map[string]string{mine: owner.UID, other: "other-uid"}[tt.controller]; uid != "" {
				pod.OwnerReferences = []api.OwnerReference{{Kind: api.KindReplicaSet, Name: "web", UID: uid, Controller: true}}
			}
			if !tt.podGone {
				w.Create(pod)
			}
			if tt.podGoes {
				pod = api.Copy(pod)
				pod.DeletionTimestamp = api.TimeAt(30_000)
			}
			if tt.ownerReplaced {
				uid := owner.UID
				owner = api.Copy(owner)
				w.replicaSet().UID, owner.UID = "another", uid
				tt.wantErr += uid
			}
			if stored := w.Server.Store.Get(pod.Key()); stored != nil {
				tt.wantErr = strings.Replace(tt.wantErr, "UID", stored.Meta().UID, 1)
			}
			got, err := w.User.Claim(owner, owner.Spec.Selector, pod)
			if got != tt.want || (err != nil) != (tt.wantErr != "") || err != nil && err.Error() != tt.wantErr {
				t.Errorf("claimed is %t, %v; want %t, %s", got, err, tt.want, tt.wantErr)
			}
			if stored := w.Server.Store.Get(pod.Key()); stored != nil {
				after := ""
				if ref := stored.Meta().ControllerOf(); ref != nil {
					after = map[string]string{owner.UID: mine, "other-uid": other}[ref.UID]
				}
				if after != tt.wantAfter {
					t.Errorf("its controller is %q, want %q", after, tt.wantAfter)
				}
			}
		})
	}
}
