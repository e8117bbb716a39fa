package kubelet

import (
	"fmt"
	"hash/fnv"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

var (
	whyPullFails  = why.Rule("G-6", "pkg/kubelet/images/image_manager.go:pullImage")
	whyUnreadable = why.Rule("G-9", "pkg/kubelet/images/image_manager.go:applyDefaultImageTag")
	whyPullWaits  = why.Rule("G-7", "pkg/kubelet/images/image_manager.go:pullImage")
)

// Reasons of a container whose image is not on the node.
const (
	pullFails   = "ErrImagePull"
	pullsLater  = "ImagePullBackOff"
	neverPulled = "ErrImageNeverPull"
	unreadable  = "InvalidImageName"
)

// ensureImage pulls a container's image unless it is on the node (image_manager.go:EnsureImageExists). It returns whether that has failed at once.
func (k *Kubelet) ensureImage(c *container) (failed bool) {
	c.pod.again(c.untold) // a relist at the same time tells of the last end while this sync is under way
	c.untold = false
	k.cancel(&c.timers)
	now, image := k.kernel.Now(), c.spec.Image
	readyAt, known := c.pod.node.images[image]
	present := known && readyAt <= now
	switch policy := c.spec.ImagePullPolicy; {
	case c.traits.unreadable != nil:
		why := fmt.Sprintf("Failed to apply default image tag %q: couldn't parse image name %[1]q: %v", image, c.traits.unreadable)
		k.refuse(c, unreadable, "InspectFailed", why)
		return true
	case present && policy != "Always":
		text := `Container image "` + image + `" already present on machine`
		if k.client.Since(35) {
			text += " and can be accessed by the pod"
		}
		k.event(c, "Normal", "Pulled", text)
		k.imagePresent(c)
		return false
	case policy == "Never":
		k.refuse(c, neverPulled, neverPulled, `Container image "`+image+`" is not present with pull policy of Never`)
		return true
	case now-c.pullBackOff.updated < c.pullBackOff.length:
		k.pullLater(c)
		return true
	}
	c.pullAsked, c.pullBegan = now, now
	k.event(c, "Normal", "Pulling", `Pulling image "`+image+`"`)
	switch {
	case c.traits.PullFails:
		k.at(c, k.pull(c, k.drawPull(c)), opPullFailed)
	case known:
		k.at(c, k.pull(c, min(pullCheck, c.traits.Pull.Max)), opPulled)
	default:
		c.pod.node.images[image] = k.pull(c, k.drawPull(c))
		k.at(c, c.pod.node.images[image], opPulled)
	}
	return false
}

// pull returns when a pull ends. A node pulls one image at a time, in the order in which they are asked for
// (puller.go:processImagePullRequests, G-8): two images that take 3 s each, asked for at once, are there after 3 and 6 s. Containers that
// need the same image each pull it; when it is their turn it is there, and the registry only confirms that.
func (k *Kubelet) pull(c *container, takes sim.Time) sim.Time {
	c.pullBegan = max(c.pullAsked, c.pod.node.pullsUntil)
	c.pod.node.pullsUntil = c.pullBegan + takes
	return c.pod.node.pullsUntil
}

func (k *Kubelet) pulled(c *container) {
	now := k.kernel.Now()
	k.event(c, "Normal", "Pulled", `Successfully pulled image "`+c.spec.Image+`" in `+duration(now-c.pullBegan)+" ("+duration(now-c.pullAsked)+
		" including waiting). Image size: "+strconv.FormatInt(imageSize(c.spec.Image), 10)+" bytes.")
	k.imagePresent(c)
}

// imagePresent creates and starts a container whose image is on the node.
func (k *Kubelet) imagePresent(c *container) {
	k.after(c, k.draw(c, "start", c.traits.Start), opStarted)
}

// pullFailed handles a pull that has failed. The back-off counts from now (G-6). The status shows it at the next relist, and the back-off at the sync
// after that one (G-7).
func (k *Kubelet) pullFailed(c *container) {
	now := k.kernel.Now()
	cause := pullError(c.spec.Image)
	k.event(c, "Warning", "Failed", `Failed to pull image "`+c.spec.Image+`": `+cause)
	k.event(c, "Warning", "Failed", "Error: "+pullFails)
	c.pullBackOff.next(now, now)
	c.pullError = cause
	c.pod.retryPull = true
	k.fail(c, pullFails, cause)
	k.step(c.pod)
}

// pullLater waits for the end of the back-off.
//
// Simplified: the events of a back-off are sent once, not with each sync of the pod while it lasts.
func (k *Kubelet) pullLater(c *container) {
	message := `Back-off pulling image "` + c.spec.Image + `"`
	if c.reason != pullsLater {
		k.event(c, "Normal", "BackOff", message)
		k.event(c, "Warning", "Failed", "Error: "+pullsLater)
	}
	c.pod.retryPull = true
	k.fail(c, pullsLater, message+": "+pullFails+": "+c.pullError)
}

// refuse notes that an image is not pulled at all: it is not on the node and must not be pulled, or its name can't be read (G-9). Of a
// container that has run before, the retries take turns with its back-off.
//
// Simplified: before its first run, the events are sent once, and nothing changes until the pod is synced for another reason.
func (k *Kubelet) refuse(c *container, reason, event, message string) {
	if c.reason != reason || c.run > 0 {
		k.event(c, "Warning", event, message)
		k.event(c, "Warning", "Failed", "Error: "+reason)
		c.pod.retryPull = true
	}
	k.fail(c, reason, message)
}

// imageSize derives a size in bytes from the name of an image: 20 to 220 MB.
func imageSize(image string) int64 {
	h := fnv.New64a()
	h.Write([]byte(image))
	return 20_000_000 + int64(h.Sum64()%200_000_000)
}

// pullError is containerd's error for an image that its registry does not have (G-5).
func pullError(image string) string {
	ref := api.FullImage(image)
	if parts := api.SplitImage(image); parts.Tag+parts.Digest == "" {
		ref += ":latest"
	}
	return `rpc error: code = NotFound desc = failed to pull and unpack image "` + ref +
		`": failed to resolve reference "` + ref + `": ` + ref + ": not found"
}
