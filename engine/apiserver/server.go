// Package apiserver is the part of the Kubernetes API server that the actors notice: it decides which writes are allowed,
// fills in what the server owns, and stores objects. Controllers, kubelets and kubectl meet only here.
//
// The upstream files: server.go answers to apiserver/pkg/registry/generic/registry/store.go and the strategies below
// pkg/registry, strategy.go to the latter alone, delete.go to registry/rest/delete.go, bind.go and evict.go to
// registry/core/pod/storage/storage.go and eviction.go, claim.go to pkg/controller/controller_ref_manager.go, pod_control.go to
// pkg/controller/controller_utils.go, quota.go to the admission plugin resourcequota and to pkg/controller/resourcequota. lease.go
// replaces the Lease objects of kubelets.
package apiserver

import (
	"encoding/binary"
	"encoding/hex"
	"maps"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/sim"
)

// Server applies the registry's rules to a store.
type Server struct {
	Store  *sim.Store
	Kernel *sim.Kernel
	Minor  int // the simulated version of Kubernetes is 1.Minor; see Since
	Leases *Leases
	Limits sim.ClientConnection // of each controller's client; none by default

	// Keyed says that random numbers depend on what they are for instead of on those before: the third pod of a ReplicaSet has the
	// same name in every run.
	Keyed bool

	seed   uint64
	uids   *sim.Rand
	names  *sim.Rand
	counts map[string]int // of keyed draws

	quotas *quotas // nil before the first ResourceQuota
}

// New returns a server with an empty store. The seed determines UIDs and generated names (SIM-5).
func New(k *sim.Kernel, seed uint64) *Server {
	return &Server{
		Store:  sim.NewStore(k),
		Kernel: k,
		Minor:  MinorLatest,
		Leases: &Leases{kernel: k, of: map[string]*lease{}},
		seed:   seed,
		uids:   sim.NewRand(seed, uidPurpose),
		names:  sim.NewRand(seed, namePurpose),
		counts: map[string]int{},
	}
}

const uidPurpose, namePurpose = "uid", "name"

// random returns the random numbers for a new object. Those of objects that are only stored, of Services and of slices take nothing
// from the others: a run keeps the names of its pods when somebody adds a Service.
func (s *Server) random(stream *sim.Rand, purpose string, kind api.Kind, what string) *sim.Rand {
	if !s.Keyed && !kinds.Of(kind).Inert && kind != api.KindService && kind != api.KindEndpointSlice {
		return stream
	}
	what = purpose + " " + what
	s.counts[what]++
	return sim.NewRand(s.seed, what+" "+strconv.Itoa(s.counts[what]))
}

// The simulated versions of Kubernetes are 1.MinorOldest to 1.MinorLatest. The rules are those of the latest; code for an
// older one is behind Since.
const (
	MinorOldest = 33
	MinorLatest = 37
)

// Since says whether the simulated version is Kubernetes 1.minor or later.
func (s *Server) Since(minor int) bool { return s.Minor >= minor }

// Since says whether the simulated version is Kubernetes 1.minor or later.
func (c *Client) Since(minor int) bool { return c.server.Since(minor) }

// Client returns the client of one actor: a controller, the kubelet, kubectl. Its writes are recorded under this name.
func (s *Server) Client(actor string) *Client { return &Client{server: s, Actor: actor} }

// Controller returns the client of a controller of kube-controller-manager, which has a limit of its own (H-12).
func (s *Server) Controller(actor string) *Client {
	return &Client{server: s, Actor: actor, Limit: sim.NewLimiter(s.Kernel, s.Limits)}
}

// As returns the same client for another name in the records.
func (c *Client) As(actor string) *Client {
	return &Client{server: c.server, Actor: actor, Limit: c.Limit}
}

// Client is how an actor reads and writes the cluster. An object passed to it belongs to the server afterwards; an object
// it returns must not be changed.
type Client struct {
	Actor  string
	Limit  *sim.Limiter // nil without a limit
	server *Server
}

// Now returns the virtual time in ms.
func (c *Client) Now() sim.Time { return c.server.Kernel.Now() }

// Timestamp returns the current time as objects store it.
func (c *Client) Timestamp() api.Time { return api.TimeAt(c.Now()) }

// Get reads an object from the store, not from a cache; reading it for a write is part of the write's request. The error is NotFound.
func (c *Client) Get(key api.Key) (api.Object, error) {
	c.Limit.Request()
	o := c.server.Store.Get(key)
	if o == nil {
		return nil, kinds.NotFound(key)
	}
	return o, nil
}

// generateTries is how many names the server draws while each has been taken.
const generateTries = 8

// generatedBase is how many characters of generateName are in the name: with the suffix it has at most 63.
const generatedBase = 58

// Create stores a new object. It draws a name for generateName before anything can reject the object, so a rejected
// creation changes the names of later ones, as upstream.
func (c *Client) Create(o api.Object, what string, why *sim.Explain) (api.Object, error) {
	c.Limit.Request()
	m := o.Meta()
	if m.Name != "" || m.GenerateName == "" {
		return c.create(o, what, why)
	}
	for try := 1; ; try++ {
		base := m.GenerateName[:min(len(m.GenerateName), generatedBase)]
		m.Name = base + c.server.suffix(o.Key().Kind, m.Namespace+"/"+m.GenerateName)
		created, err := c.create(o, what, why)
		if refused, ok := err.(*api.StatusError); !ok || refused.Reason != api.ReasonAlreadyExists || try == generateTries {
			return created, err
		}
	}
}

// create stores a new object that has a name.
func (c *Client) create(o api.Object, what string, why *sim.Explain) (api.Object, error) {
	s, key := c.server, o.Key()
	if err := c.Allocate(o, nil, false); err != nil {
		return nil, err
	}
	if err := s.admit(o); err != nil {
		return nil, err
	}
	if stored := s.Store.Get(key); stored != nil {
		return nil, kinds.Taken(stored)
	}
	if err := s.checkLimits(o, nil); err != nil {
		return nil, err
	}
	c.PrepareForCreate(o, s.uid(key))
	s.Store.Put(o, sim.Record{Actor: c.Actor, What: what, Why: why})
	return o, nil
}

// Refuse returns why the admission plugins would refuse a new object. A dry run charges no quota.
func (c *Client) Refuse(o api.Object) error {
	if pod, ok := o.(*api.Pod); ok && c.server.quotas != nil {
		return refuse(pod, c.server.quotas.of(pod), UsageOf(pod.Spec))
	}
	return nil
}

// Update stores the metadata and the spec of an object; the stored status stays. An old resourceVersion is a conflict
// an update that changes nothing writes nothing.
func (c *Client) Update(o api.Object, what string, why *sim.Explain) (api.Object, error) {
	stored, err := c.current(o)
	if err != nil {
		return nil, err
	}
	if err := c.server.checkLimits(o, stored); err != nil {
		return nil, err
	}
	o = api.WithStatusOf(o, stored)
	if err := c.Allocate(o, stored, false); err != nil {
		return nil, err
	}
	c.PrepareForUpdate(o, stored)
	return c.put(o, stored, what, why)
}

// UpdateStatus stores the status, and the metadata that the kind's strategy accepts beside it.
func (c *Client) UpdateStatus(o api.Object, what string, why *sim.Explain) (api.Object, error) {
	stored, err := c.current(o)
	if err != nil {
		return nil, err
	}
	o = api.WithSpecOf(o, stored)
	o.Meta().Generation = stored.Meta().Generation
	if _, ok := o.(*api.Deployment); ok { // registry/apps/deployment/strategy.go:deploymentStatusStrategy keeps annotations, not labels
		o.Meta().Labels = stored.Meta().Labels
	}
	if errs := validate.Status(o); len(errs) > 0 {
		return nil, &api.StatusError{Reason: api.ReasonInvalid, Message: errs.Message(o.Key().Kind, o.Key().Name)}
	}
	return c.put(o, stored, what, why)
}

// current returns the stored version of an object that is about to be written, or a conflict if the writer has an older one.
func (c *Client) current(o api.Object) (api.Object, error) {
	stored, err := c.Get(o.Key())
	if err != nil {
		return nil, err
	}
	if o.Meta().UID != stored.Meta().UID || o.Meta().ResourceVersion != stored.Meta().ResourceVersion {
		return nil, kinds.Conflict(o.Key())
	}
	return stored, nil
}

func (c *Client) put(o, stored api.Object, what string, why *sim.Explain) (api.Object, error) {
	if api.SpecEqual(o, stored) && api.StatusEqual(o, stored) && api.SameMeta(o.Meta(), stored.Meta()) {
		return stored, nil
	}
	c.server.Store.Put(o, sim.Record{Actor: c.Actor, What: what, Why: why})
	if m := o.Meta(); m.Terminating() && len(m.Finalizers) == 0 && m.DeletionGracePeriodSeconds == 0 {
		c.remove(o, "removed: its last finalizer is gone")
	}
	return o, nil
}

// Must panics on the error of a write that cannot fail: its object was read in the same step.
func (c *Client) Must(_ api.Object, err error) {
	if err != nil {
		panic(c.Actor + ": " + err.Error())
	}
}

// Event sends a Kubernetes event about an object.
func (c *Client) Event(about api.Key, eventType, reason, message string) {
	uid := ""
	if o := c.server.Store.Get(about); o != nil {
		uid = o.Meta().UID
	}
	c.EventOf(sim.Record{Object: about, UID: uid, Type: eventType, Reason: reason, What: message})
}

// EventOf sends an event whose sender knows more about its object.
func (c *Client) EventOf(r sim.Record) {
	r.Kind, r.Actor = sim.Notice, c.Actor
	c.Limit.Event(r.Object, r.UID)
	c.server.Kernel.Add(r)
}

// Decide records a decision of the actor that writes nothing by itself.
func (c *Client) Decide(about api.Key, what string, why *sim.Explain) {
	c.server.Kernel.Decide(c.Actor, about, what, why)
}

// generationFollows says whether metadata changed that raises the generation: annotations of a Deployment, labels of an
// EndpointSlice (registry/discovery/endpointslice/strategy.go:PrepareForUpdate).
func generationFollows(o, stored api.Object) bool {
	switch o.Key().Kind {
	case api.KindDeployment:
		return !maps.Equal(o.Meta().Annotations, stored.Meta().Annotations)
	case api.KindEndpointSlice:
		return !maps.Equal(o.Meta().Labels, stored.Meta().Labels)
	}
	return false
}

// suffix returns five characters for a generated name.
func (s *Server) suffix(kind api.Kind, of string) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	names := s.random(s.names, namePurpose, kind, of)
	var b [5]byte
	for i := range b {
		b[i] = letters[names.Intn(int64(len(letters)))]
	}
	return string(b[:])
}

// uid returns a UID that looks like a random UUID (SIM-5).
func (s *Server) uid(key api.Key) string {
	uids := s.random(s.uids, uidPurpose, key.Kind, key.String())
	a, b := uids.Uint64(), uids.Uint64()
	a = a&^0xf000 | 0x4000
	b = b&^(3<<62) | 2<<62
	h := hex.EncodeToString(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, a), b))
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
