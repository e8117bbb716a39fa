package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

// TestEvictions lets the real handler of evictions and ours decide about the same pods and budgets, in states of every sort,
// and compares the answers and what was stored, times included (P-11 to P-13, A-8). Some evictions follow one another on
// one state, others find a new one. In the end every way out must have occurred often enough.
func TestEvictions(t *testing.T) {
	const worlds = 500
	sums := map[string]int{}
	began := time.Now()
	for seed := range worlds {
		var wrong string
		synctest.Test(t, func(*testing.T) {
			w := newEvictionWorld(uint64(seed))
			for i := 0; i < 40 && wrong == ""; i++ {
				w.change()
				wrong = w.evict()
			}
			for way, n := range w.ways {
				sums[way] += n
			}
		})
		if wrong != "" {
			t.Fatalf("seed %d: %s", seed, wrong)
		}
	}
	ways := make([]string, 0, len(sums))
	for way := range sums {
		ways = append(ways, fmt.Sprintf("%6d %s", sums[way], way))
	}
	slices.Sort(ways)
	t.Logf("%d evictions in %d worlds, %s; 0 different\n%s", 40*worlds, worlds, time.Since(began).Round(time.Millisecond),
		strings.Join(ways, "\n"))
	for _, way := range waysOut {
		if sums[way] < worlds/50 {
			t.Errorf("only %d evictions: %s", sums[way], way)
		}
	}
}

// waysOut are the ways in which an eviction can end; each must occur.
var waysOut = []string{
	"gone at once: no budget asked", "terminating: no budget asked",
	"terminating already: no budget asked", "hurried: no budget asked",
	"gone at once: no budget", "terminating: no budget",
	"gone at once: AlwaysAllow", "terminating: AlwaysAllow",
	"gone at once: others suffice", "terminating: others suffice",
	"gone at once: counted off", "terminating: counted off", "terminating: the last one counted off",
	"refused: no such pod", "refused: several budgets",
	"refused: not counted yet", "refused: negative", "refused: too many disrupted pods",
	"refused: the sync has failed", "refused: too few are healthy", "refused: another reason", "refused: no reason",
	"dry run: no budget asked", "dry run: no budget", "dry run: AlwaysAllow", "dry run: others suffice", "dry run: counted off",
	"dry run, refused: no such pod", "dry run, refused: several budgets", "dry run, refused: not counted yet",
	"dry run, refused: too few are healthy",
	"marked before: by an eviction", "marked before: for another reason", "marked before: False",
	"counted off as the 2001st",
}

// evict evicts a pod, which may not exist, and says what differs, "" if nothing does.
func (w *evictionWorld) evict() string {
	key := podKey(w.namespace(), w.IntN(evictionPods))
	if w.Chance(2) {
		key.Name = "nobody"
	}
	opts := apiserver.EvictOptions{DryRun: w.Chance(15)}
	if w.Chance(35) {
		opts.GracePeriodSeconds = api.Ptr(generate.Pick[int64](w.Random, -7, -1, 0, 1, 2, 5, 30, 60))
	}
	pod, _ := w.server.Store.Get(key).(*api.Pod)
	budgets := w.budgetsOf(pod)
	w.judged.begins(key, opts)
	err := w.client.Evict(key, opts)
	if what, ours, theirs := w.judged.ends(err); what != "" {
		return fmt.Sprintf("%s differ\n    ours: %s\n  theirs: %s\n%s", what, ours, theirs, stateText(pod, budgets, opts))
	}
	w.tally(pod, budgets, opts.DryRun)
	return ""
}

// budgetsOf lists the budgets over a pod.
func (w *evictionWorld) budgetsOf(pod *api.Pod) (list []*api.PodDisruptionBudget) {
	for o := range w.server.Store.Table(api.KindPodDisruptionBudget).All() {
		if b := o.(*api.PodDisruptionBudget); pod != nil && b.Namespace == pod.Namespace && b.Spec.Selector.Matches(pod.Labels) {
			list = append(list, b)
		}
	}
	return list
}

// stateText prints the state that an eviction found.
func stateText(pod *api.Pod, budgets []*api.PodDisruptionBudget, opts apiserver.EvictOptions) string {
	text := fmt.Sprintf("dry run %t", opts.DryRun)
	if opts.GracePeriodSeconds != nil {
		text += fmt.Sprintf(", grace period %d", *opts.GracePeriodSeconds)
	}
	if pod != nil {
		text += fmt.Sprintf("\n%+v on %q: %+v", pod.ObjectMeta, pod.NodeName, pod.Status)
	}
	for _, b := range budgets {
		text += fmt.Sprintf("\n%+v: %+v", b.ObjectMeta, b.Status)
	}
	return text
}

// tally counts the way in which an eviction has ended, given the pod as it was before.
func (w *evictionWorld) tally(pod *api.Pod, budgets []*api.PodDisruptionBudget, dryRun bool) {
	if a := w.judged.theirs; a.Code >= 300 {
		way := "refused: " + refusalOf(a)
		if dryRun {
			way = "dry run, " + way
		}
		w.ways[way]++
		return
	}
	why := grantedBy(pod, budgets)
	if dryRun {
		w.ways["dry run: "+why]++
		return
	}
	how := "terminating"
	left, _ := w.server.Store.Get(pod.Key()).(*api.Pod)
	switch {
	case left == nil:
		how = "gone at once"
	case pod.Terminating() && left.DeletionGracePeriodSeconds < pod.DeletionGracePeriodSeconds:
		how = "hurried"
	case pod.Terminating():
		how = "terminating already"
	}
	w.ways[how+": "+why]++
	if why == "counted off" && len(budgets[0].Status.DisruptedPods) == 2000 {
		w.ways["counted off as the 2001st"]++
	}
	if why == "counted off" && budgets[0].Status.DisruptionsAllowed == 1 {
		w.ways[how+": the last one counted off"]++
	}
	if c := api.FindCondition(pod.Status.Conditions, api.DisruptionTarget); c != nil {
		marked := map[string]string{"EvictionByEvictionAPI": "by an eviction", "": "False"}[c.Reason]
		if marked == "" {
			marked = "for another reason"
		}
		w.ways["marked before: "+marked]++
	}
}

// refusalOf says which refusal an answer is.
func refusalOf(a upstream.Answer) string {
	for _, r := range []struct{ text, name string }{
		{"not found", "no such pod"}, {"more than one PodDisruptionBudget", "several budgets"},
		{"still being processed", "not counted yet"}, {"is negative", "negative"}, {"too many pending", "too many disrupted pods"},
		{"failed sync", "the sync has failed"}, {" needs ", "too few are healthy"}, {"currently (", "another reason"},
		{"currently", "no reason"},
	} {
		if strings.Contains(a.Message+a.Causes, r.text) {
			return r.name
		}
	}
	return a.String()
}

// grantedBy says which of the questions of P-11 allowed an eviction.
func grantedBy(pod *api.Pod, budgets []*api.PodDisruptionBudget) string {
	switch {
	case pod.Finished() || pod.Terminating() || pod.Status.Phase == api.PodPending:
		return "no budget asked"
	case len(budgets) == 0:
		return "no budget"
	}
	b := budgets[0]
	switch policy := b.Spec.UnhealthyPodEvictionPolicy; {
	case pod.IsReady():
		return "counted off"
	case policy != nil && *policy == api.AlwaysAllow:
		return "AlwaysAllow"
	case b.Status.CurrentHealthy >= b.Status.DesiredHealthy && b.Status.DesiredHealthy > 0:
		return "others suffice"
	}
	return "counted off"
}
