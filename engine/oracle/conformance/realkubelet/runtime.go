package realkubelet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	critest "k8s.io/cri-api/pkg/apis/testing"
	utilexec "k8s.io/utils/exec"
)

// Program is what the process of a container does. A negative time is never.
type Program struct {
	Starts  time.Duration // how long CreateContainer takes: the runtime unpacks the image and prepares the process
	Exits   time.Duration // after its start
	Code    int32         // of that exit
	Stops   time.Duration // after SIGTERM
	Answers time.Duration // after its start: probes succeed from then on
}

// Programs says what the containers of an image do, in a pod and under a name.
type Programs func(pod, container, image string) Program

// Runtime is a container runtime in this process: upstream's fake keeps the objects, and time passes in between. No lock is held while
// something sleeps.
type Runtime struct {
	*critest.FakeRuntimeService
	programs Programs
	note     func(pod, text string)

	mu     sync.Mutex
	exited map[string]chan struct{} // by container; closed at its end
	ips    map[string]string        // by sandbox
}

func newRuntime(programs Programs, note func(pod, text string)) *Runtime {
	r := &Runtime{FakeRuntimeService: critest.NewFakeRuntimeService(), programs: programs, note: note,
		exited: map[string]chan struct{}{}, ips: map[string]string{}}
	r.FakeStatus = &runtimeapi.RuntimeStatus{Conditions: []*runtimeapi.RuntimeCondition{
		{Type: runtimeapi.RuntimeReady, Status: true}, {Type: runtimeapi.NetworkReady, Status: true}}}
	return r
}

// process is a container with what its process does.
type process struct {
	*critest.FakeContainer
	Program
	pod, name string
	exited    chan struct{}
}

// find returns the process of a container.
func (r *Runtime) find(id string) (p process, err error) {
	r.Lock()
	c := r.Containers[id]
	r.Unlock()
	if c == nil {
		return p, fmt.Errorf("container %q not found", id)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p = process{FakeContainer: c, pod: c.Labels["io.kubernetes.pod.name"], name: c.Metadata.Name, exited: r.exited[id]}
	p.Program = r.programs(p.pod, p.name, c.Image.UserSpecifiedImage)
	return p, nil
}

// CreateContainer implements cri.RuntimeService.
func (r *Runtime) CreateContainer(ctx context.Context, sandbox string, c *runtimeapi.ContainerConfig, of *runtimeapi.PodSandboxConfig) (string, error) {
	time.Sleep(r.programs(of.Metadata.Name, c.Metadata.Name, c.Image.UserSpecifiedImage).Starts)
	return r.FakeRuntimeService.CreateContainer(ctx, sandbox, c, of)
}

// StartContainer implements cri.RuntimeService.
func (r *Runtime) StartContainer(ctx context.Context, id string) error {
	p, err := r.find(id)
	if err != nil {
		return err
	}
	if err := r.FakeRuntimeService.StartContainer(ctx, id); err != nil {
		return err
	}
	r.mu.Lock()
	r.exited[id] = make(chan struct{})
	r.mu.Unlock()
	r.note(p.pod, "start "+p.name)
	if p.Exits >= 0 {
		time.AfterFunc(p.Exits, func() { r.exit(id, p.Code) })
	}
	return nil
}

// exit ends a process that runs.
func (r *Runtime) exit(id string, code int32) {
	p, err := r.find(id)
	if err != nil {
		return
	}
	r.Lock()
	defer r.Unlock()
	if p.State != runtimeapi.ContainerState_CONTAINER_RUNNING {
		return
	}
	p.State, p.FinishedAt, p.ExitCode, p.Reason = runtimeapi.ContainerState_CONTAINER_EXITED, time.Now().UnixNano(), code, "Completed"
	if code != 0 {
		p.Reason = "Error"
	}
	close(p.exited)
	r.note(p.pod, fmt.Sprintf("exit %s code %d", p.name, code))
}

// killed is the exit code after SIGKILL.
const killed = 137

// Crash kills the process of a container, if it runs.
func (r *Runtime) Crash(pod, container string) {
	r.Lock()
	var ids []string
	for id, c := range r.Containers {
		if c.Labels["io.kubernetes.pod.name"] == pod && c.Metadata.Name == container {
			ids = append(ids, id)
		}
	}
	r.Unlock()
	for _, id := range ids {
		r.exit(id, killed)
	}
}

// reap is how long the end of a process takes, and then the answer that it has ended: a sync that a relist begins in this ms comes before the end, and the
// sync that has killed the process goes on after it.
const reap = 5 * Instant

// StopContainer implements cri.RuntimeService: SIGTERM, and SIGKILL after the timeout.
func (r *Runtime) StopContainer(_ context.Context, id string, timeout int64) error {
	p, err := r.find(id)
	if err != nil || p.exited == nil {
		return err
	}
	r.note(p.pod, fmt.Sprintf("stop %s timeout %d", p.name, timeout))
	takes, code := time.Duration(timeout)*time.Second, int32(killed)
	if p.Stops >= 0 && p.Stops <= takes {
		takes, code = p.Stops, 0
	}
	select { // on a machine, a sync that a relist has begun stops nothing at the very time of another one
	case <-p.exited:
	case <-time.After(takes + reap):
		r.exit(id, code)
	}
	time.Sleep(reap)
	return nil
}

// StopPodSandbox implements cri.RuntimeService: it takes longer than the worker of a probe looks at the pod's status, which so is not the last one yet.
func (r *Runtime) StopPodSandbox(ctx context.Context, id string) error {
	time.Sleep(20 * Instant)
	return r.FakeRuntimeService.StopPodSandbox(ctx, id)
}

// PodSandboxStatus implements cri.RuntimeService: every sandbox has an address of its own, by which a probe finds it.
func (r *Runtime) PodSandboxStatus(ctx context.Context, id string, verbose bool) (*runtimeapi.PodSandboxStatusResponse, error) {
	answer, err := r.FakeRuntimeService.PodSandboxStatus(ctx, id, verbose)
	if err == nil && answer.Status != nil {
		r.mu.Lock()
		if r.ips[id] == "" {
			r.ips[id] = fmt.Sprintf("10.1.%d.%d", len(r.ips)/200, 1+len(r.ips)%200)
		}
		answer.Status.Network = &runtimeapi.PodSandboxNetworkStatus{Ip: r.ips[id]}
		r.mu.Unlock()
	}
	return answer, err
}

// at returns the running container of a name in the sandbox with an address, or any of them if there is no name.
func (r *Runtime) at(ip, name string) (id string) {
	r.mu.Lock()
	sandbox := ""
	for s, address := range r.ips {
		if address == ip {
			sandbox = s
		}
	}
	r.mu.Unlock()
	r.Lock()
	defer r.Unlock()
	for other, c := range r.Containers {
		if c.SandboxID == sandbox && c.State == runtimeapi.ContainerState_CONTAINER_RUNNING && (c.Metadata.Name == name || name == "") {
			id = other
		}
	}
	return id
}

// answers says whether the app in a container answers its probes. One that has exited doesn't: a command in it fails as in an app that isn't ready.
func (r *Runtime) answers(id string) bool {
	p, err := r.find(id)
	return err == nil && p.State == runtimeapi.ContainerState_CONTAINER_RUNNING && p.Answers >= 0 && time.Since(time.Unix(0, p.StartedAt)) >= p.Answers
}

// ExecSync implements cri.RuntimeService: the command of a probe.
func (r *Runtime) ExecSync(_ context.Context, id string, _ []string, _ time.Duration) (stdout, stderr []byte, err error) {
	time.Sleep(10 * Instant)
	if r.answers(id) {
		return nil, nil, nil
	}
	return []byte("command terminated with exit code 1"), nil, utilexec.CodeExitError{Err: errors.New("exit status 1"), Code: 1}
}

// forget drops the names of calls, which upstream's fake keeps.
func (r *Runtime) forget() {
	r.Lock()
	r.Called = r.Called[:0]
	r.Unlock()
}

// Images pulls images, each in a time of its own.
type Images struct {
	*critest.FakeImageService
	Pull func(image string) (takes time.Duration, err error)
	Turn func(image string) int // of those that a relist lets ask for their images at once, when it is the turn of this one; nil: any order
}

// ImageStatus implements cri.ImageManagerService. A container asks for its image here before it lets it be pulled, so this decides whose pull comes
// first.
func (i *Images) ImageStatus(ctx context.Context, image *runtimeapi.ImageSpec, verbose bool) (*runtimeapi.ImageStatusResponse, error) {
	if i.Turn != nil {
		time.Sleep(time.Duration(i.Turn(image.Image)) * 20 * Instant)
	}
	return i.FakeImageService.ImageStatus(ctx, image, verbose)
}

// PullImage implements cri.ImageManagerService.
func (i *Images) PullImage(ctx context.Context, image *runtimeapi.ImageSpec, auth *runtimeapi.AuthConfig, sandbox *runtimeapi.PodSandboxConfig) (string, error) {
	i.Lock()
	_, there := i.Images[image.Image]
	i.Unlock()
	takes, err := i.Pull(image.Image)
	if there {
		takes = min(takes, checks)
	} else {
		takes -= Instant // a container that asks for it in the ms in which it comes finds it there
	}
	time.Sleep(takes)
	if err != nil {
		return "", err
	}
	return i.FakeImageService.PullImage(ctx, image, auth, sandbox)
}

// checks is how long the runtime takes to find that it has the newest version of an image: a request to the registry.
const checks = 200 * time.Millisecond
