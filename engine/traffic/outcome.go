package traffic

// Outcome is what becomes of a request, with its one cause.
type Outcome uint8

// The outcomes. Several have a name in common, and differ in their cause.
const (
	Served      Outcome = iota
	Early               // refused: the app does not listen yet
	Late                // refused: the app stopped listening before the proxies knew
	Down                // refused: the app has ended by itself
	Gone                // timed out: the pod ended before the proxies knew, so nothing has its address
	Long                // timed out: it takes longer than its user waits
	Reset               // in flight when the app ended on SIGTERM, or was killed
	Crashed             // in flight when the app ended by itself
	Removed             // Gone, at a pod without a grace period: the API server does not wait for its kubelet
	NoEndpoint          // no pod could be sent to
	SlowEarly           // Early at one pod, and served by another at the next try
	SlowLate            // Late or Gone, the same
	SlowDown            // Down, the same
	SlowLast            // LastLate or LastGone, the same
	LastLate            // Late, at a pod that got requests although it terminated, because no pod was ready
	LastGone            // Gone, the same
	LastReset           // Reset, the same
	Crowded             // timed out: it waits too long until a pod has room for it
	SlowCrowded         // served after it has waited for that
	NoTarget            // NoEndpoint, while pods wait until a load balancer has found them healthy
	Unselected          // NoEndpoint, while a pod that was sent to is ready
	outcomes
)

// about has what is said of each outcome: its name, its cause, and, if a cause has several, the one that stands for all.
var about = [outcomes]struct {
	name, because string
	cause         Outcome
}{
	Served:      {"served", "", Served},
	Early:       {"refused", "pods are ready before they listen", Early},
	Late:        {"refused", "pods stop before the proxies know", Late},
	Down:        {"refused", "pods crash", Crashed},
	Gone:        {"timed out", "pods stop before the proxies know", Late},
	Long:        {"timed out", "requests take longer than users wait", Long},
	Reset:       {"reset", "pods end with requests in flight", Reset},
	Crashed:     {"reset", "pods crash", Crashed},
	Removed:     {"timed out", "pods have a grace period of 0, so they are removed at once", Removed},
	NoEndpoint:  {"without endpoint", "no pod is ready", NoEndpoint},
	SlowEarly:   {"slow", "pods are ready before they listen", Early},
	SlowLate:    {"slow", "pods stop before the proxies know", Late},
	SlowDown:    {"slow", "pods crash", Crashed},
	SlowLast:    {"slow", "no pod is ready", NoEndpoint},
	LastLate:    {"refused", "no pod is ready", NoEndpoint},
	LastGone:    {"timed out", "no pod is ready", NoEndpoint},
	LastReset:   {"reset", "no pod is ready", NoEndpoint},
	Crowded:     {"timed out", "too few pods for the requests", Crowded},
	SlowCrowded: {"slow", "too few pods for the requests", Crowded},
	NoTarget:    {"without endpoint", "no pod has passed its check yet", NoTarget},
	Unselected:  {"without endpoint", "pods are ready, but the Service has none of them", Unselected},
}

// inFlight are the outcomes of requests that a pod had taken before it ended.
var inFlight = []Outcome{Reset, Crashed, LastReset}

// Cause returns the outcome that stands for all with the same cause.
func (o Outcome) Cause() Outcome { return about[o].cause }

// Slow says whether the request was served, but later than it takes: at a second try, or after it has waited.
func (o Outcome) Slow() bool { return o >= SlowEarly && o <= SlowLast || o == SlowCrowded }

// Another has what becomes of a request if another pod can serve it at the next try, leaving what does if its pod terminates and no pod
// is ready. Both are Served where that changes nothing.
var (
	another = [outcomes]Outcome{Early: SlowEarly, Late: SlowLate, Gone: SlowLate, Removed: SlowLate, Down: SlowDown, LastLate: SlowLast, LastGone: SlowLast}
	leaving = [outcomes]Outcome{Late: LastLate, Gone: LastGone, Reset: LastReset}
)

// Counts are requests by their outcome.
type Counts [outcomes]int64

// All returns how many requests there were.
func (c Counts) All() (n int64) {
	for _, k := range c {
		n += k
	}
	return n
}

// Slow returns how many were served at a second try, or after they had waited.
func (c Counts) Slow() int64 {
	return c[SlowEarly] + c[SlowLate] + c[SlowDown] + c[SlowLast] + c[SlowCrowded]
}

// Failed returns how many got no answer.
func (c Counts) Failed() int64 { return c.All() - c[Served] - c.Slow() }

func (c *Counts) add(more *Counts) {
	for o, n := range more {
		c[o] += n
	}
}

// Worst returns the cause of most failures or, if nothing failed, of most slow requests; Served if there are none.
func (c *Counts) Worst() (worst Outcome) {
	failed := c.Failed() > 0
	var causes Counts
	for o := Early; o < outcomes; o++ {
		if cause := o.Cause(); c[o] > 0 && (o.Slow() != failed) {
			if causes[cause] += c[o]; causes[cause] > causes[worst] {
				worst = cause
			}
		}
	}
	return worst
}

// Named is how many requests had one of the outcomes with a name.
type Named struct {
	Name     string
	Requests int64
}

// ByName adds up the outcomes that have a name in common. Served comes first.
func (c *Counts) ByName() (list []Named) {
	for _, name := range []string{"served", "slow", "refused", "reset", "without endpoint", "timed out"} {
		of := Named{Name: name}
		for o, n := range c {
			if about[o].name == name {
				of.Requests += n
			}
		}
		list = append(list, of)
	}
	return list
}
