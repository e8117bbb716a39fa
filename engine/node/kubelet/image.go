package kubelet

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

var (
	whyPullFails = why.Rule("G-6", "pkg/kubelet/images/image_manager.go:pullImage")
	whyPullWaits = why.Rule("G-7", "pkg/kubelet/images/image_manager.go:pullImage")
)

// showAfter is how long a status shows the failure before it shows the back-off, in ms (G-7, G-13).
const showAfter = 1000

// ensureImage pulls a container's image unless it is on the node (image_manager.go:EnsureImageExists).
func (k *Kubelet) ensureImage(p *pod, i int) {
	c := &p.containers[i]
	k.cancelTimers(c)
	now, image := k.kernel.Now(), c.spec.Image
	readyAt, known := p.node.images[image]
	present := known && readyAt <= now
	switch policy := c.spec.ImagePullPolicy; {
	case present && policy != "Always":
		text := `Container image "` + image + `" already present on machine`
		if k.client.Since(35) {
			text += " and can be accessed by the pod"
		}
		k.event(p, i, "Normal", "Pulled", text)
		k.imagePresent(p, i)
		return
	case policy == "Never":
		k.neverPulled(p, i)
		return
	}
	c.pullAsked, c.pullBegan = now, now
	k.event(p, i, "Normal", "Pulling", `Pulling image "`+image+`"`)
	switch {
	case c.traits.pullFails:
		k.at(p, i, k.pull(p, i, k.drawPull(p, i)), opPullFailed)
	case known:
		k.at(p, i, k.pull(p, i, min(pullCheck, c.traits.pull.Max)), opPulled)
	default:
		p.node.images[image] = k.pull(p, i, k.drawPull(p, i))
		k.at(p, i, p.node.images[image], opPulled)
	}
}

// pull returns when a pull ends. A node pulls one image at a time, in the order in which they are asked for
// (puller.go:processImagePullRequests, G-8): two images that take 3 s each, asked for at once, are there after 3 and 6 s. Containers that
// need the same image each pull it; when it is their turn it is there, and the registry only confirms that.
func (k *Kubelet) pull(p *pod, i int, takes sim.Time) sim.Time {
	c := &p.containers[i]
	c.pullBegan = max(c.pullAsked, p.node.pullsUntil)
	p.node.pullsUntil = c.pullBegan + takes
	return p.node.pullsUntil
}

func (k *Kubelet) handleImage(p *pod, i int, op uint8) {
	switch op {
	case opPulled:
		k.pulled(p, i)
	case opPullFailed:
		k.pullFailed(p, i)
	case opPullWaits:
		k.pullWaits(p, i)
	case opPullAgain:
		p.containers[i].activity = pending
		k.syncPod(p)
	}
}

func (k *Kubelet) pulled(p *pod, i int) {
	c := &p.containers[i]
	now := k.kernel.Now()
	k.event(p, i, "Normal", "Pulled", `Successfully pulled image "`+c.spec.Image+`" in `+duration(now-c.pullBegan)+" ("+duration(now-c.pullAsked)+
		" including waiting). Image size: "+strconv.FormatInt(imageSize(c.spec.Image), 10)+" bytes.")
	k.imagePresent(p, i)
}

// imagePresent creates and starts a container whose image is on the node.
func (k *Kubelet) imagePresent(p *pod, i int) {
	k.after(p, i, k.draw(p, i, &k.random.start, p.containers[i].traits.start), opStarted)
}

// pullFailed reports the failure. The next try is after the back-off, which counts from now (G-6).
func (k *Kubelet) pullFailed(p *pod, i int) {
	c := &p.containers[i]
	now := k.kernel.Now()
	cause := pullError(c.spec.Image)
	k.event(p, i, "Warning", "Failed", `Failed to pull image "`+c.spec.Image+`": `+cause)
	k.event(p, i, "Warning", "Failed", "Error: ErrImagePull")
	c.pullBackOff.next(now, now)
	c.pullError = cause
	k.cancelTimers(c)
	k.waitsFor(p, i, "ErrImagePull", cause, "the image cannot be pulled", whyPullFails)
	k.after(p, i, showAfter, opPullWaits)
	k.after(p, i, c.pullBackOff.length, opPullAgain)
	k.syncPod(p)
}

// pullWaits reports the back-off.
//
// Simplified: the events of a back-off are sent once, not with each sync of the pod while it lasts.
func (k *Kubelet) pullWaits(p *pod, i int) {
	c := &p.containers[i]
	message := `Back-off pulling image "` + c.spec.Image + `"`
	k.event(p, i, "Normal", "BackOff", message)
	k.event(p, i, "Warning", "Failed", "Error: ImagePullBackOff")
	k.waitsFor(p, i, "ImagePullBackOff", message+": ErrImagePull: "+c.pullError, "waits for the next pull", whyPullWaits)
}

// neverPulled reports an image that is not on the node and must not be pulled.
//
// Simplified: the kubelet does not check again.
func (k *Kubelet) neverPulled(p *pod, i int) {
	c := &p.containers[i]
	message := `Container image "` + c.spec.Image + `" is not present with pull policy of Never`
	k.event(p, i, "Warning", "ErrImageNeverPull", message)
	k.event(p, i, "Warning", "Failed", "Error: ErrImageNeverPull")
	k.waitsFor(p, i, "ErrImageNeverPull", message, "the image is not on the node", whyPullFails)
	k.syncPod(p)
}

// waitsFor reports that a container waits for its next try.
func (k *Kubelet) waitsFor(p *pod, i int, reason, message, what string, why *sim.Explain) {
	c := &p.containers[i]
	if p.starting == i {
		p.starting = -1
	}
	c.activity = backOff
	if c.status.State.Kind == api.Terminated {
		c.status.LastState = c.status.State
	}
	c.status.State = api.ContainerState{Kind: api.Waiting, Reason: reason, Message: message}
	k.writeStatus(p, what, why)
}

// imageSize derives a size in bytes from the name of an image: 20 to 220 MB.
func imageSize(image string) int64 {
	h := fnv.New64a()
	h.Write([]byte(image))
	return 20_000_000 + int64(h.Sum64()%200_000_000)
}

// pullError is containerd's error for an image that its registry does not have (G-5).
func pullError(image string) string {
	ref := reference(image)
	return `rpc error: code = NotFound desc = failed to pull and unpack image "` + ref +
		`": failed to resolve reference "` + ref + `": ` + ref + ": not found"
}

// reference returns the full name of an image: nginx:1 is docker.io/library/nginx:1.
func reference(image string) string {
	host, path, slash := strings.Cut(image, "/")
	named := slash && (strings.ContainsAny(host, ".:") || host == "localhost")
	if !named {
		path = image
		host = "docker.io"
		if !slash {
			path = "library/" + image
		}
	}
	if base := path[strings.LastIndexByte(path, '/')+1:]; !strings.ContainsAny(base, ":@") {
		path += ":latest"
	}
	return host + "/" + path
}
