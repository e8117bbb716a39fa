package realkubelet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Door leads a client to a server. It delays what watches tell, as a network does, answers for the resources that the server does not
// have, of which there are none, and can be cut.
type Door struct {
	Server  http.RoundTripper
	Latency time.Duration   // of watches
	Grid    time.Duration   // watches tell at multiples of this, rounded; 0: at any time
	InTurn  bool            // watches of one multiple come in the order of what each of them tells first
	Life    context.Context // of the client's machine; nil: it has no end

	names sync.Map // of events: upstream's → the server's
}

// absent are the kinds of resources that the server does not have, by path.
var absent = map[string][2]string{
	"/api/v1/services":                                    {"v1", "Service"},
	"/api/v1/persistentvolumes":                           {"v1", "PersistentVolume"},
	"/apis/node.k8s.io/v1/runtimeclasses":                 {"node.k8s.io/v1", "RuntimeClass"},
	"/apis/certificates.k8s.io/v1/podcertificaterequests": {"certificates.k8s.io/v1", "PodCertificateRequest"},
	"/apis/storage.k8s.io/v1/csidrivers":                  {"storage.k8s.io/v1", "CSIDriver"},
	"/apis/storage.k8s.io/v1/csinodes":                    {"storage.k8s.io/v1", "CSINode"},
	"/apis/storage.k8s.io/v1/storageclasses":              {"storage.k8s.io/v1", "StorageClass"},
	"/apis/storage.k8s.io/v1/csistoragecapacities":        {"storage.k8s.io/v1", "CSIStorageCapacity"},
	"/apis/storage.k8s.io/v1/volumeattachments":           {"storage.k8s.io/v1", "VolumeAttachment"},
	"/apis/resource.k8s.io/v1/resourceclaims":             {"resource.k8s.io/v1", "ResourceClaim"},
	"/apis/resource.k8s.io/v1/resourceslices":             {"resource.k8s.io/v1", "ResourceSlice"},
	"/apis/resource.k8s.io/v1/deviceclasses":              {"resource.k8s.io/v1", "DeviceClass"},
	"/apis/resource.k8s.io/v1/devicetaintrules":           {"resource.k8s.io/v1", "DeviceTaintRule"},
	"/apis/resource.k8s.io/v1beta2/devicetaintrules":      {"resource.k8s.io/v1beta2", "DeviceTaintRule"},
	"/apis/scheduling.k8s.io/v1beta1/podgroups":           {"scheduling.k8s.io/v1beta1", "PodGroup"},
}

// RoundTrip implements http.RoundTripper.
func (d *Door) RoundTrip(r *http.Request) (*http.Response, error) {
	if d.Life != nil {
		if d.Life.Err() != nil {
			return nil, fmt.Errorf("dial tcp %s: no route to host", r.URL.Host)
		}
		ctx, cancel := context.WithCancel(r.Context())
		context.AfterFunc(d.Life, cancel)
		r = r.WithContext(ctx)
	}
	watch := r.URL.Query().Get("watch")
	watches := watch == "true" || watch == "1"
	if kind, ok := absent[r.URL.Path]; ok {
		return nothing(r, kind, watches), nil
	}
	switch folder, name := path.Split(r.URL.Path); {
	case r.Method == http.MethodPost && name == "events":
		r = d.numbered(r)
	case r.Method == http.MethodPatch && strings.HasSuffix(folder, "/events/"):
		if stored, ok := d.names.Load(name); ok { // one that client-go counts others into
			r = r.Clone(r.Context())
			r.URL.Path = folder + stored.(string)
		}
	}
	answer, err := d.Server.RoundTrip(r)
	if err == nil && watches && d.Latency > 0 {
		answer.Body = delayed(answer.Body, (&timetable{Door: d}).next)
	}
	return answer, err
}

// nothing answers for a resource without objects.
func nothing(r *http.Request, kind [2]string, watches bool) *http.Response {
	answer := &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		ContentLength: -1, Header: http.Header{"Content-Type": {"application/json"}}}
	if !watches {
		list := fmt.Sprintf(`{"apiVersion":%q,"kind":"%sList","metadata":{"resourceVersion":"1"},"items":[]}`, kind[0], kind[1])
		answer.Body = io.NopCloser(strings.NewReader(list))
		return answer
	}
	reader, writer := io.Pipe()
	answer.Body = reader
	go func() {
		if r.URL.Query().Get("sendInitialEvents") == "true" {
			fmt.Fprintf(writer, `{"type":"BOOKMARK","object":{"apiVersion":%q,"kind":%q,"metadata":{"resourceVersion":"1",`+
				`"annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n", kind[0], kind[1])
		}
		<-r.Context().Done()
		writer.Close()
	}()
	return answer
}

var events atomic.Int64

// numbered gives an event a name of its own: upstream's has the time in ns, and in a bubble many events have the same.
func (d *Door) numbered(r *http.Request) *http.Request {
	text, err := io.ReadAll(r.Body)
	must(err)
	var o map[string]any
	if json.Unmarshal(text, &o) == nil {
		meta := o["metadata"].(map[string]any)
		name := fmt.Sprint(meta["name"])
		meta["name"] = fmt.Sprintf("%s.%d", name, events.Add(1))
		d.names.Store(name, meta["name"])
		text, err = json.Marshal(o)
		must(err)
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return r
}

// timetable says when a watch tells what is written now.
type timetable struct {
	*Door
	full, at time.Time // the last one, and the multiple of the grid that it is about
}

// next returns the next time.
func (t *timetable) next() time.Time {
	due := time.Now().Add(t.Latency)
	if t.Grid == 0 {
		return due
	}
	if full := due.Round(t.Grid); full != t.full {
		t.full, t.at = full, full
		if t.InTurn {
			t.at = full.Add(due.Sub(full) / writesToWatches)
		}
	}
	return t.at
}

// writesToWatches is by how much less watches in turn are apart than their writes.
const writesToWatches = 10

// late is a body that is read later than it was written.
type late struct {
	*io.PipeReader
	inner io.Closer
}

// Close implements io.Closer.
func (l *late) Close() error {
	l.PipeReader.Close()
	return l.inner.Close()
}

// behindMax is how many pieces a reader may be behind.
const behindMax = 10_000

// delayed returns a body with each piece of another one at a later time.
func delayed(body io.ReadCloser, later func() time.Time) io.ReadCloser {
	type piece struct {
		at   time.Time
		data []byte
	}
	reader, writer := io.Pipe()
	pieces := make(chan piece, behindMax)
	go func() {
		defer close(pieces)
		for {
			b := make([]byte, 32<<10)
			n, err := body.Read(b)
			if n > 0 {
				pieces <- piece{later(), b[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		defer writer.Close()
		for p := range pieces {
			time.Sleep(time.Until(p.at))
			if _, err := writer.Write(p.data); err != nil {
				body.Close()
			}
		}
	}()
	return &late{reader, body}
}
