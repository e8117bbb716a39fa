package realkubelet

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/kubernetes/pkg/kubelet"
	podconfig "k8s.io/kubernetes/pkg/kubelet/config"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/status"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
)

// inside returns the variable at the end of a path of unexported fields, through pointers and interfaces.
func inside(o any, path ...string) reflect.Value {
	v := reflect.ValueOf(o)
	for _, name := range path {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		f := v.FieldByName(name)
		if !f.IsValid() {
			panic(fmt.Sprintf("conformance: %s has no field %s", v.Type(), name))
		}
		v = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
	}
	return v
}

// put replaces the variable at the end of a path.
func put[T any](o any, value T, path ...string) {
	inside(o, path...).Set(reflect.ValueOf(&value).Elem())
}

// Wrap puts something around the variable at the end of a path.
func Wrap[T any](o any, around func(T) T, path ...string) {
	put(o, around(inside(o, path...).Interface().(T)), path...)
}

// endLoops ends the goroutines for which upstream has no end: a bubble ends when all of its goroutines have.
func endLoops(k *kubelet.Kubelet, config *podconfig.PodConfig) {
	sources := inside(config, "mux", "sources")
	for _, name := range sources.MapKeys() {
		sources.MapIndex(name).Close()
	}
	inside(k, "pleg").Interface().(interface{ Stop() }).Stop()
	inside(k, "containerRuntime", "imagePuller", "puller", "pullRequests").Close()
	inside(k, "containerDeletor", "worker").Send(reflect.ValueOf(kubecontainer.ContainerID{Type: "fake", ID: lastContainer}))
	pods := inside(k, "statusManager", "Manager", "podManager").Interface().(status.PodManager)
	put[status.PodManager](k, lastPods{pods}, "statusManager", "Manager", "podManager")
	inside(k, "containerLogManager", "queue").Interface().(interface{ ShutDown() }).ShutDown()
}

// lastContainer ends the goroutine that asks for it: the one that deletes containers.
const lastContainer = "the last container"

// ContainerStatus implements cri.RuntimeService.
func (r *Runtime) ContainerStatus(ctx context.Context, id string, verbose bool) (*runtimeapi.ContainerStatusResponse, error) {
	if id == lastContainer {
		runtime.Goexit()
	}
	return r.FakeRuntimeService.ContainerStatus(ctx, id, verbose)
}

// lastPods ends the goroutine that asks it: the one that sends statuses.
type lastPods struct{ status.PodManager }

// GetUIDTranslations implements status.PodManager.
func (lastPods) GetUIDTranslations() (map[kubetypes.ResolvedPodUID]kubetypes.MirrorPodUID, map[kubetypes.MirrorPodUID]kubetypes.ResolvedPodUID) {
	runtime.Goexit()
	return nil, nil
}
