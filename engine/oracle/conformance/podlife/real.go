package podlife

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	restclient "k8s.io/client-go/rest"

	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubelet"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realserver"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// Chance is what is random in a real run.
type Chance struct {
	Phase  time.Duration // between the kubelet's ticks and the full seconds
	turns  map[pull]int  // see Turn of realkubelet.Images
	Jitter float64       // the part that each jitter adds of what it may: 0 to 1
	shifts uint64        // draws what takes a bit more or less time in this run, see shift; 0: nothing
}

// shift is a time of an image, a bit later or earlier. What a relist begins, Early before a full ms, so ends before or after another relist that comes
// whole seconds later.
func (c Chance) shift(takes time.Duration, what, image string) time.Duration {
	if c.shifts == 0 || takes < 0 {
		return takes
	}
	if sim.NewRand(c.shifts, what+" "+image).Intn(2) == 0 {
		return max(0, takes-realkubelet.Early)
	}
	return takes + realkubelet.Early
}

// Chances are those of the real runs: the engine has the same phase and jitter in each, so that everything must be equal.
var Chances = []Chance{{Phase: 100 * time.Millisecond}, {Phase: 300 * time.Millisecond, Jitter: 1}, {Phase: 500 * time.Millisecond, Jitter: 0.5},
	{Phase: 700 * time.Millisecond}, {Phase: 900 * time.Millisecond, Jitter: 1}}

// warm is longer than the period of any probe here: a kubelet that runs for a shorter time delays the first probe by chance.
const warm = 2 * time.Minute

// Real runs a scenario with upstream's kubelet.
func Real(t *testing.T, s *scenario.Scenario, chance Chance) (list Timeline) {
	root := t.TempDir()
	realkubelet.Jitter(chance.Jitter)
	realkubelet.Bubble(t, func() {
		w := startReal(s, root, chance)
		w.follow(s)
		list = w.end()
	})
	return list
}

// realWorld is a server with a node.
type realWorld struct {
	client kubernetes.Interface
	node   *realkubelet.Node
	start  time.Time
	cancel func()

	mu      sync.Mutex
	entries Timeline
	last    map[string]string
	gated   map[types.UID]bool // pods whose readiness gate is set, or is going to be
}

func must(err error) {
	if err != nil {
		panic("conformance: " + err.Error())
	}
}

func clientOf(server *realserver.Server, latency time.Duration) kubernetes.Interface {
	c, err := kubernetes.NewForConfig(&restclient.Config{Host: "http://judge", QPS: -1,
		Transport: &realkubelet.Door{Server: server.Transport, Latency: latency}})
	must(err)
	return c
}

func startReal(s *scenario.Scenario, root string, chance Chance) *realWorld {
	server, err := realserver.Start(false)
	must(err)
	ctx, cancel := context.WithCancel(context.Background())
	w := &realWorld{client: clientOf(server, 0), cancel: cancel, start: time.Now().Truncate(time.Second).Add(warm), last: map[string]string{}, gated: map[types.UID]bool{}}
	time.Sleep(chance.Phase - realkubelet.Early)
	w.node = realkubelet.Start(clientOf(server, time.Millisecond), realkubelet.Options{Name: "node-1", Root: root,
		Programs: programs(s, chance), Pull: pulls(s, chance), Turn: w.turn(chance), Note: w.note})
	watch, err := w.client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{})
	must(err)
	go func() {
		for e := range watch.ResultChan() {
			if pod, ok := e.Object.(*corev1.Pod); ok {
				w.setGate(s, pod)
				text := gone
				if e.Type != "DELETED" {
					text = realStatus(pod)
				}
				w.status(pod.Name, text)
			}
		}
	}()
	time.Sleep(time.Until(w.start))
	return w
}

// turn says when it is the turn of an image that is asked for now.
func (w *realWorld) turn(chance Chance) func(image string) int {
	return func(image string) int {
		return chance.turns[pull{image, w.now()}]
	}
}

// now is the time in ms, as entries have it.
func (w *realWorld) now() int64 { return time.Since(w.start).Round(time.Millisecond).Milliseconds() }

// setGate sets the readiness gate of a pod some time after its containers are ready for the first time, as the engine's model does.
func (w *realWorld) setGate(s *scenario.Scenario, pod *corev1.Pod) {
	ready := slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.ContainersReady && c.Status == corev1.ConditionTrue
	})
	if !ready || len(pod.Spec.ReadinessGates) == 0 || w.gated[pod.UID] {
		return
	}
	w.gated[pod.UID] = true
	wait := least(kubelet.BehaviourOf(pod.Spec.Containers[0].Image, s.Images).Gate, 0)
	time.AfterFunc(wait, func() {
		set := fmt.Sprintf(`{"status": {"conditions": [{"type": %q, "status": "True"}]}}`, pod.Spec.ReadinessGates[0].ConditionType)
		_, err := w.client.CoreV1().Pods("default").Patch(context.Background(), pod.Name, types.StrategicMergePatchType, []byte(set), metav1.PatchOptions{}, "status")
		if err != nil && !apierrors.IsNotFound(err) {
			panic("conformance: " + err.Error())
		}
	})
}

func (w *realWorld) note(pod, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.entries = append(w.entries, Entry{At: w.now(), Pod: pod, Text: plain(text)})
}

func (w *realWorld) status(pod, text string) {
	if w.last[pod] != text {
		w.last[pod] = text
		w.note(pod, text)
	}
}

// follow carries out a scenario's timeline.
func (w *realWorld) follow(s *scenario.Scenario) {
	for _, m := range s.Objects {
		pod := &corev1.Pod{}
		must(json.Unmarshal(m.JSON, pod))
		pod.Namespace = "default"
		_, err := w.client.CoreV1().Pods("default").Create(context.Background(), pod, metav1.CreateOptions{})
		must(err)
		time.Sleep(realkubelet.Instant) // so that their images are pulled in this order
	}
	for _, c := range s.Timeline {
		time.Sleep(time.Until(w.start.Add(time.Duration(c.At)*time.Millisecond - ahead(c))))
		must(w.do(c))
	}
	time.Sleep(time.Until(w.start.Add(time.Duration(s.Duration) * time.Millisecond)))
}

// ahead is how much before its full ms a command is carried out. A crash comes first in its ms, as in the engine: only a relist of that ms does
// not see it, since it has begun before. The answer of a probe in that ms is that of a process which has ended.
func ahead(c scenario.Command) time.Duration {
	if c.Do == "" {
		return 0
	}
	return realkubelet.Early - 5*realkubelet.Instant
}

var deletion = regexp.MustCompile(`^(?:kubectl )?delete pod (\S+) --wait=false(?: --grace-period=(\d+)(?: --force)?)?$`)

var imageChange = regexp.MustCompile(`^(?:kubectl )?set image pod/(\S+) (\S+)=(\S+)$`)

func (w *realWorld) do(c scenario.Command) error {
	if m := imageChange.FindStringSubmatch(c.Run); m != nil {
		return w.setImage(m[1], m[2], m[3])
	}
	if m := deletion.FindStringSubmatch(c.Run); m != nil {
		options := metav1.DeleteOptions{}
		if m[2] != "" {
			grace, _ := strconv.ParseInt(m[2], 10, 64)
			options.GracePeriodSeconds = &grace
		}
		return w.client.CoreV1().Pods("default").Delete(context.Background(), m[1], options)
	}
	if pod, ok := strings.CutPrefix(c.Do, "crash pod/"); ok {
		p, err := w.client.CoreV1().Pods("default").Get(context.Background(), pod, metav1.GetOptions{})
		if err == nil {
			w.node.Runtime.Crash(pod, p.Spec.Containers[0].Name)
		}
		return err
	}
	return errors.New("no real command for " + c.Line())
}

// setImage gives a container of a pod another image.
func (w *realWorld) setImage(pod, container, image string) error {
	p, err := w.client.CoreV1().Pods("default").Get(context.Background(), pod, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range list {
			if list[i].Name == container {
				list[i].Image = image
			}
		}
	}
	_, err = w.client.CoreV1().Pods("default").Update(context.Background(), p, metav1.UpdateOptions{})
	return err
}

// end stops the world and returns what happened in it.
func (w *realWorld) end() Timeline {
	w.mu.Lock()
	list := w.entries
	w.mu.Unlock()
	for len(list) > 0 && list[0].At < 0 {
		list = list[1:]
	}
	w.cancel()
	w.node.Stop()
	time.Sleep(time.Minute)
	synctest.Wait()
	runtime.Gosched()
	return list
}

// programs are the behaviours of a scenario's images, with the engine's defaults.
func programs(s *scenario.Scenario, chance Chance) realkubelet.Programs {
	return func(_, container, image string) realkubelet.Program {
		b := kubelet.BehaviourOf(image, s.Images)
		p := realkubelet.Program{Starts: least(b.Start, 300), Exits: least(b.CrashAfter, -1), Code: b.ExitCode, Stops: least(b.Stop, 1000),
			Answers: least(b.Ready, 0)}
		if b.NeverReady {
			p.Answers = -1
		}
		if p.Exits < 0 && strings.HasPrefix(container, initPrefix) {
			p.Exits, p.Code = time.Second, 0
		}
		p.Starts, p.Exits = chance.shift(p.Starts, "start", image), chance.shift(p.Exits, "exit", image)
		p.Stops, p.Answers = chance.shift(p.Stops, "stop", image), chance.shift(p.Answers, "answer", image)
		return p
	}
}

// initPrefix is what the names of init containers begin with that end.
const initPrefix = "init"

func pulls(s *scenario.Scenario, chance Chance) func(string) (time.Duration, error) {
	return func(image string) (time.Duration, error) {
		b := kubelet.BehaviourOf(image, s.Images)
		if b.PullFails {
			name := "docker.io/library/" + image
			return chance.shift(least(b.Pull, failsIn), "pull", image), fmt.Errorf("rpc error: code = NotFound desc = failed to pull and unpack image %q: failed to resolve "+
				"reference %q: %s: not found", name, name, name)
		}
		return chance.shift(least(b.Pull, 1000), "pull", image), nil
	}
}

// least is the time of a range, or the default in ms.
func least(r *kubelet.Range, otherwise int64) time.Duration {
	if r != nil {
		otherwise = r.Min
	}
	return time.Duration(otherwise) * time.Millisecond
}
