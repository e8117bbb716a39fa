package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// manifestOf is a Deployment web; pod and container are lines of its template.
func manifestOf(replicas int, pod, container string) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: %d\n  selector: {matchLabels: {app: web}}\n"+
		"  template:\n    metadata: {labels: {app: web}}\n    spec:\n%s      containers:\n      - name: web\n        image: \"web:1\"\n%s", replicas, pod, container)
}

// many writes a text n times, with its number for each #.
func many(n int, part string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(part, "#", fmt.Sprint(i)))
	}
	return b.String()
}

func settingsOf(lines string) string {
	return "---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n" + lines
}

const update = "  - {at: 60s, run: kubectl set image deployment/web web=web:2}\n"

// hostileFiles are texts that want more time or memory than a command may take, each in another place: the reader, the scheduler, the
// controllers, the records, the answers of kubectl, what is compared afterwards.
func hostileFiles() map[string]string {
	requests := "        resources: {requests: {cpu: 100m, memory: 1Mi}}\n"
	spread := "      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}]}}\n"
	scaler := "---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h#}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, " +
		"minReplicas: 1, maxReplicas: 2000, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}\n"
	budget := "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b#}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}\n"
	return map[string]string{
		"20,000 pods":            manifestOf(20_000, "", ""),
		"450 containers each":    manifestOf(1000, "", many(450, "      - {name: c#, image: i, env: [{name: A, value: b}]}\n")),
		"4,000 nodes":            manifestOf(3500, spread, "") + settingsOf("  nodes: {count: 4000, pods: 110}\n  timeline:\n"+update),
		"250 autoscalers":        manifestOf(1000, "", requests) + many(250, scaler) + settingsOf("  duration: 24h\n  load:\n  - {of: deployment/web, at: 0s, cpu: 100}\n  timeline:\n"+update),
		"490 budgets":            manifestOf(4000, "", "") + many(490, budget) + settingsOf("  timeline:\n"+update),
		"100 quotas":             manifestOf(2000, "", requests) + many(100, "---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: q#}, spec: {hard: {pods: 99999, requests.cpu: 10k}}}\n"),
		"no image for a day":     manifestOf(1000, "", "") + settingsOf("  duration: 24h\n  images:\n  - {match: \"*\", pull: fails}\n  timeline:\n"+update),
		"4,000 answers":          manifestOf(1000, "", "") + settingsOf("  timeline:\n"+update+many(4000, "  - {at: 61s, run: kubectl get pods -o yaml}\n")),
		"expectations that read": manifestOf(1000, "", "") + settingsOf("  timeline:\n"+update+"  expect:\n"+many(4000, "  - {at: 62s, run: \"kubectl get pods -o json\", contains: x}\n")),
		"brackets":               strings.Repeat("[", 1<<20-1),
	}
}

// hostileLines are the commands that decide something about a text, with what makes each of them work long.
var hostileLines = [][]string{
	{"run"}, {"run", "--check"}, {"forecast", "--seeds", "10000"}, {"check", "--seeds", "10000", "-o", "sarif"}, {"prove", "--crash", "--node", "--max", "1000000000"},
	{"sweep", "-x", "maxSurge=0,1,2,3,4,5,6,7,8,9", "-y", "maxUnavailable=1,2,3,4,5,6,7,8,9,10"},
}

// memoryOfHostile is the bound of the commands, in MiB, and beyondIt what a program may take beyond its bound: its text and its stacks,
// and what is allocated between two looks and before the collector has come, which is late on a busy machine.
const (
	memoryOfHostile = 200
	beyondIt        = 200
)

// TestHostileFiles: whatever a file wants, each command ends with one of the four codes, in its time, within its memory, and says why.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("uses up the time of sixty commands")
	}
	files := hostileFiles()
	if len(files) != 10 {
		t.Errorf("%d files", len(files))
	}
	for name, text := range files {
		file := filepath.Join(t.TempDir(), "hostile.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, line := range hostileLines {
			t.Run(name+"/"+line[0], func(t *testing.T) {
				timeout := 500 * time.Millisecond
				if strings.Contains(name, "containers") {
					timeout = time.Minute // more than enough
				}
				endsInTime(t, timeout, append(slices.Clone(line), file))
			})
		}
	}
}

// TestHostileStreams: check reads long streams, which may be made of nothing, or of one line.
func TestHostileStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("reads streams of 64 MiB")
	}
	for name, part := range map[string]string{"documents": "---\n", "a line": "x", "kinds": "kind: Custom\n---\n", "lists": "- - ", "names": "a: &a [*a]\n"} {
		file := filepath.Join(t.TempDir(), "stream.yaml")
		if err := os.WriteFile(file, []byte(strings.Repeat(part, 64<<20/len(part))), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { endsInTime(t, time.Minute, []string{"check", file}) })
	}
}

// endsInTime carries out a command as a process of its own.
func endsInTime(t *testing.T, timeout time.Duration, args []string) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, append(args, "--timeout", timeout.String(), "--memory", fmt.Sprint(memoryOfHostile)+"Mi")...)
	cmd.Env = append(os.Environ(), "ROLLPLAY_AS_COMMAND=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	_ = cmd.Run() // its code is looked at
	code, state := cmd.ProcessState.ExitCode(), cmd.ProcessState
	cpu := state.UserTime() + state.SystemTime()
	t.Logf("exit %d, %v on the processor, %v by the clock, %d MB: %.200s", code, cpu.Round(time.Millisecond), time.Since(began).Round(time.Millisecond), mostMemory(state)>>20, &stderr)
	if code < 0 || code > 3 || strings.Contains(stderr.String(), "bug") {
		t.Errorf("exit %d: %.2000s", code, &stderr)
	}
	if code > 1 && stderr.Len() == 0 {
		t.Errorf("exit %d without a word", code)
	}
	if code == 3 && !strings.Contains(stderr.String(), ": unknown: it takes ") && !strings.Contains(stderr.String(), "it is too large") {
		t.Errorf("it does not say why: %.500s", &stderr)
	}
	if timeout >= time.Minute && code == 3 && !strings.Contains(stderr.String(), "of memory (--memory)") {
		t.Errorf("it ends, but not for the memory: %.500s", &stderr)
	}
	if most := time.Duration(runtime.GOMAXPROCS(0)) * (timeout + grace + time.Second); cpu > most {
		t.Errorf("it worked for %v on the processor, want at most %v", cpu, most)
	}
	if most := int64(memoryOfHostile+beyondIt) << 20; mostMemory(state) > most {
		t.Errorf("it took %d MB, want at most %d", mostMemory(state)>>20, most>>20)
	}
}
