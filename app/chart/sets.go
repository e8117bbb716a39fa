package chart

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/breath"
)

// Label names a ReplicaSet by its revision and its images.
func Label(revision int, images string) string {
	if revision == 0 {
		return ShortImages(images)
	}
	return fmt.Sprintf("rev %d · %s", revision, ShortImages(images))
}

// ShortImages cuts a list of images to what distinguishes them: a registry's path and a digest are long and the same for all.
func ShortImages(images string) string {
	short := strings.Split(images, ",")
	for i, image := range short {
		image, _, _ = strings.Cut(image, "@")
		short[i] = image[strings.LastIndexByte(image, '/')+1:]
	}
	return strings.Join(short, ", ")
}

// Set is a ReplicaSet that the chart draws.
type Set struct {
	Name, Image string
	Revision    int // when it first showed up
}

// Sets lists the ReplicaSets of a workload in the order of their appearance. It grows with the
// run.
type Sets struct {
	run      *engine.Run
	workload string
	scanned  int
	all      []Set
}

func (x *Sets) Of(run *engine.Run, workload string) []Set {
	if x.run != run || x.workload != workload {
		*x = Sets{run: run, workload: workload}
	}
	if run == nil {
		return nil
	}
	frames := run.Frames(workload)
	for ; x.scanned < len(frames); x.scanned++ {
		breath.Often()
		for rs := range changed(frames, x.scanned) {
			if !slices.ContainsFunc(x.all, func(k Set) bool { return k.Name == rs.Name }) {
				x.all = append(x.all, Set{Name: rs.Name, Image: run.Past().Images(workload, rs.Name), Revision: rs.Revision})
			}
		}
	}
	return x.all
}

// Tag is the part of an image that changes from revision to revision, short enough for the edge of a chart.
func Tag(images string) string {
	image, _, more := strings.Cut(ShortImages(images), ",")
	if _, tag, ok := strings.Cut(image, ":"); ok && !more {
		image = tag
	}
	if r := []rune(image); len(r) > 12 {
		return string(r[:11]) + "…"
	}
	return image
}

// changed yields the ReplicaSets of a frame that differ from the one before it, and perhaps more: a frame shares the others with it. Of
// hundreds of ReplicaSets that is one or two.
func changed(frames []engine.Frame, i int) iter.Seq[*engine.RSFrame] {
	return func(yield func(*engine.RSFrame) bool) {
		var before []*engine.RSFrame
		if i > 0 {
			before = frames[i-1].ReplicaSets
		}
		for k, rs := range frames[i].ReplicaSets {
			if (k >= len(before) || before[k] != rs) && !yield(rs) {
				return
			}
		}
	}
}
