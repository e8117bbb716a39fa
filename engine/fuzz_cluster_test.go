package engine

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/judge"
)

// clusterLines are what happens to a cluster with all kinds of workloads; %d is a small number.
var clusterLines = [...]string{
	"set image statefulset/db db=db:%d", "set image statefulset/db db=bad", "scale statefulset/db --replicas=%d",
	"rollout undo statefulset/db", "rollout restart statefulset/db", "delete pod db-%d", "delete pod db-%d --force --grace-period=0",
	`patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}'`,
	`patch statefulset db -p '{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}'`,
	"set image daemonset/agent agent=agent:%d", "set image daemonset/agent agent=bad", "rollout undo daemonset/agent",
	`patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":%d,"maxUnavailable":0}}}}'`,
	`patch daemonset agent -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":"%d0%%"}}}}'`,
	"taint nodes node-%d gpu=yes:NoSchedule", "taint nodes node-%d gpu=yes:NoExecute", "taint nodes node-%d gpu-",
	"cordon node-%d", "uncordon node-%d", "drain node-%d --ignore-daemonsets", "drain node-%d --ignore-daemonsets --force --timeout=20s",
	"delete node node-%d", "label nodes node-%d zone=a --overwrite", "delete pdb db", "delete statefulset db", "delete daemonset agent --cascade=orphan",
	`patch pdb db -p '{"spec":{"minAvailable":%d}}'`, "do kill node/node-%d", "do restore node/node-%d", "do add node/node-%d",
	"do remove node/node-%d", "do crash pod/db-%d",
}

// FuzzCluster lets anything happen to StatefulSets, DaemonSets, budgets and nodes: the run ends, keeps the laws, has
// the same bytes when it is computed again, and whoever watches it from outside has something to say at every moment.
func FuzzCluster(f *testing.F) {
	for i := range clusterLines {
		f.Add(uint64(i), []byte{byte(i), byte(i), 10, byte(i), 2, 3, byte(i + 1), 1, 40})
	}
	// Of each run a few moments are looked at, which differ between runs.
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		text, commands := fuzzCluster(seed, data)
		run, diagnostics := Start(Recording{Scenario: text, Commands: commands})
		if run == nil {
			t.Fatalf("%v\n%s", diagnostics, text)
		}
		const eventsMax = 40_000 // a run that goes round costs a second, not ten
		done := run.Advance(eventsMax)
		if broken := brokenLaws(run); len(broken) > 0 {
			t.Error(report(broken, run.Recording()))
		}
		for _, name := range run.Workloads() {
			j := judge.New(run.Past())
			for i := int(seed % 7); i < run.Len(); i += 1 + run.Len()/8 {
				j.Line(name, i, run.Past().At(i))
				if d := diagnosis.Of(run.Past(), name, i, run.Past().At(i)); d.Title == "" {
					t.Errorf("no diagnosis of %s after record %d\n%s\n%v", name, i, text, commands)
				}
			}
			run.Past().Lanes(name, 20)
		}
		for i := int(seed % 5); i < run.Len(); i += 1 + run.Len()/4 {
			run.Past().Nodes(i, 50)
			run.Past().Tables(i, run.Past().At(i), 1000)
			run.Past().Pods(i, run.Past().At(i))
		}
		if !done {
			t.Skip("it loops, as upstream may")
		}
		if seed%8 == 0 { // whatever makes two runs differ does so for many of them
			sameAgain(t, run)
		}
	})
}

// fuzzCluster turns bytes into a scenario and commands: each byte is one choice.
func fuzzCluster(seed uint64, data []byte) (string, []Command) {
	next := texts.Choices(&data)
	set := [...]string{"", "podManagementPolicy: Parallel", "updateStrategy: {rollingUpdate: {maxUnavailable: 2}}", "minReadySeconds: 3",
		"updateStrategy: {type: RollingUpdate}", "podManagementPolicy: Parallel\n  updateStrategy: {type: RollingUpdate}",
		"volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]"}[next(7)]
	daemon := [...]string{"", "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}", "updateStrategy: {type: OnDelete}", "minReadySeconds: 3"}[next(4)]
	budget := [...]string{"minAvailable: 2", "maxUnavailable: 1", "minAvailable: 100%", "maxUnavailable: 30%"}[next(4)]
	text := fmt.Sprintf("# %d\n", seed) + texts.Sets(set, daemon, budget)
	var commands []Command
	at := int64(0)
	for len(data) > 0 && len(commands) < texts.FuzzMost {
		at += int64(next(60)) * 211
		c := Command{At: at, Run: fill(clusterLines[next(len(clusterLines))], next(6))}
		if do, ok := strings.CutPrefix(c.Run, "do "); ok {
			c.Run, c.Do = "", do
		}
		commands = append(commands, c)
	}
	return text, commands
}

// fill puts a number into a line that may have a place for it.
func fill(line string, n int) string {
	return strings.ReplaceAll(strings.ReplaceAll(line, "%d", strconv.Itoa(n)), "%%", "%")
}
