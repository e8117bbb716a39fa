// Package events turns what controllers report into the events that the API server keeps.
package events

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
)

// Event aggregation and rate limits (A-17, client-go/tools/record/events_cache.go).
const (
	combineFrom  = 10            // different messages from which on they are combined
	combineGap   = 600 * 1000    // ms of silence after which the count starts again
	spamBurst    = 25            // events that may be sent in a row
	spamRefill   = 5 * 60 * 1000 // ms until one more may be sent
	combinedText = "(combined from similar events): "
)

// Correlate returns the events that the API server keeps of those that were sent, in the order of their arrival. It
// skips other records. The trace itself keeps every event.
//
// Ten pods of one ReplicaSet give nine events "Created pod: …" and one "(combined from similar events): Created pod: …"
// with the name of the tenth; an eleventh replaces that name and makes the count 2.
//
// Simplified: upstream forgets one of the ten messages at random, we the oldest; and an hour later the server forgets the
// event, we do not.
func Correlate(records []*sim.Record) []*Event {
	c := newCorrelator()
	for _, r := range records {
		c.take(r)
	}
	return c.events
}

func newCorrelator() *correlator {
	return &correlator{similar: map[eventKey]*similar{}, counts: map[eventKey]*observed{}, spam: map[eventKey]int64{}}
}

// eventKey distinguishes events. Maps keyed only by sender and object leave the rest empty.
type eventKey struct {
	source                string
	object                api.Key
	uid, field            string
	kind, reason, message string
}

type correlator struct {
	events  []*Event
	similar map[eventKey]*similar  // by all but the message and the field
	counts  map[eventKey]*observed // by everything; of combined events by all but the message
	spam    map[eventKey]int64     // when the bucket of sender, object and type is full again
}

// similar is which messages were sent that differ in nothing else.
type similar struct {
	messages []string // oldest first, always fewer than combineFrom
	last     int64
}

// observed is how often an event was sent, whether or not it got through.
type observed struct {
	count int
	first int64
	sent  *Event // nil if it never got through
}

// take receives a record and returns the event that it made or changed, nil if it is no event or the limit held it back.
func (c *correlator) take(r *sim.Record) *Event {
	breath.Often()
	if r.Kind != sim.Notice {
		return nil
	}
	key := eventKey{r.Actor, r.Object, r.UID, "", r.Type, r.Reason, ""}
	message := r.What
	if c.combines(key, r) {
		message = combinedText + message
	} else {
		key.field, key.message = r.Field, message
	}
	o := c.counts[key]
	if o == nil {
		o = &observed{first: r.At}
		c.counts[key] = o
	}
	o.count++
	if !c.passes(eventKey{source: r.Actor, object: r.Object, uid: r.UID, kind: r.Type}, r.At) {
		return nil
	}
	if o.sent == nil {
		o.sent = newEvent(len(c.events), o.first, r)
		c.events = append(c.events, o.sent)
	}
	o.sent.Last, o.sent.Count, o.sent.Message = r.At, o.count, message
	return o.sent
}

// combines says whether at least nine events before differ only in their message (EventAggregate).
func (c *correlator) combines(key eventKey, r *sim.Record) bool {
	s := c.similar[key]
	if s == nil || r.At-s.last > combineGap {
		s = &similar{}
		c.similar[key] = s
	}
	s.last = r.At
	if slices.Contains(s.messages, r.What) {
		return false
	}
	s.messages = append(s.messages, r.What)
	if len(s.messages) < combineFrom {
		return false
	}
	s.messages = s.messages[1:]
	return true
}

// passes says whether there is room for another event of a sender about an object, and takes it (EventSourceObjectSpamFilter).
func (c *correlator) passes(key eventKey, now int64) bool {
	full := max(c.spam[key], now)
	if full-now > (spamBurst-1)*spamRefill {
		return false
	}
	c.spam[key] = full + spamRefill
	return true
}
