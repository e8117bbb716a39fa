package engine

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// WriteText writes the trace of a finished run as text, one line per record: time, actor, object, the event itself, and the reason
// after two slashes.
func WriteText(w io.Writer, r *Run) error {
	out := bufio.NewWriter(w)
	for i := range r.Len() {
		rec := r.Record(i)
		fmt.Fprintf(out, "%9s %s\n", words.Seconds(rec.T), r.recordText(i, &rec))
	}
	return out.Flush()
}

func (r *Run) recordText(i int, rec *Record) string {
	switch rec.Kind {
	case Input:
		answer := rec.What
		if rec.Failed {
			answer = "refused: " + answer
		}
		return fmt.Sprintf("$ %s\n%s", rec.Command, indent(answer))
	case Event:
		return fmt.Sprintf("%s %s: event %s %s: %s", rec.Actor, rec.Object, rec.Type, rec.Reason, rec.Message)
	case Output:
		return fmt.Sprintf("%s %s: prints\n%s", rec.Actor, rec.Object, indent(rec.What))
	}
	text := fmt.Sprintf("%s %s: %s", rec.Actor, rec.Object, rec.What)
	if rec.Kind == Reconcile {
		text = fmt.Sprintf("%s %s: sync%s: %s", rec.Actor, rec.Object, r.wokenText(i), rec.What)
	}
	if rec.Why == nil {
		return text
	}
	text += " // " + rec.Why.Rule
	if rec.Why.Formula != "" {
		text += " " + rec.Why.Formula
	}
	return text
}

// Failures lists the commands that failed, with the moment and the first error.
func (r *Run) Failures() (list []string) {
	for i := range r.Len() {
		rec := r.Record(i)
		if rec.Kind != Input || !rec.Failed {
			continue
		}
		answer, lines := rec.What, r.past.Printed(i)
		if first := slices.IndexFunc(lines, func(l past.ReadLine) bool { return l.Stderr && !strings.HasPrefix(l.Text, "Warning:") }); first >= 0 {
			answer = lines[first].Text
		}
		answer, _, _ = strings.Cut(answer, "\n")
		list = append(list, fmt.Sprintf("at %s s, %s fails: %s", words.Seconds(rec.T), rec.Command, answer))
	}
	return list
}

// wokenText says what woke a reconcile.
func (r *Run) wokenText(i int) string {
	s := r.past.Sync(i)
	if len(s.Wakes) == 0 {
		return ""
	}
	text := " (" + s.Wakes[0].Text
	if s.Woken > 1 {
		text += fmt.Sprintf(", and %d more", s.Woken-1)
	}
	return text + ")"
}

// indent puts the answer of kubectl below its command.
func indent(text string) string {
	const blanks = "          "
	return blanks + strings.ReplaceAll(cmp.Or(text, "(no output)"), "\n", "\n"+blanks)
}

// jsonRecord is a line of WriteJSON: a record, a Kubernetes event or a command, with the fields of each. Scripts rely on the names: add
// fields, never remove one.
type jsonRecord struct {
	Kind    string  `json:"kind"`
	T       int64   `json:"t"`
	Actor   string  `json:"actor"`
	Type    string  `json:"type,omitempty"` // of an event, with reason and message
	Reason  string  `json:"reason,omitempty"`
	Object  string  `json:"object"`
	What    *string `json:"what,omitempty"` // of anything else; a command may have printed nothing
	Message string  `json:"message,omitempty"`
	Command string  `json:"command,omitempty"`
	Failed  bool    `json:"failed,omitempty"` // of a command
	Why     *Why    `json:"why,omitempty"`
	Sync    bool    `json:"sync,omitempty"`  // it begins a reconcile
	Woken   string  `json:"woken,omitempty"` // what woke it
}

type jsonFrame struct {
	Kind string `json:"kind"`
	Frame
}

// WriteJSON writes the trace of a finished run as JSON, one object per line, in order of time: records (a command is a
// record with the field command), events, and after them the frames that they caused.
func WriteJSON(w io.Writer, r *Run) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	frames := framesInOrder(r)
	for i := range r.Len() + 1 {
		breath.Take()
		for ; len(frames) > 0 && frames[0].Record < i; frames = frames[1:] {
			if err := enc.Encode(jsonFrame{"frame", *frames[0]}); err != nil {
				return err
			}
		}
		if i == r.Len() {
			break
		}
		if err := enc.Encode(r.jsonLine(i)); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (r *Run) jsonLine(i int) jsonRecord {
	rec := r.Record(i)
	line := jsonRecord{Kind: "record", T: rec.T, Actor: rec.Actor, Object: rec.Object, What: &rec.What, Why: rec.Why, Command: rec.Command}
	switch rec.Kind {
	case Reconcile:
		line.Sync, line.Woken = true, strings.Trim(r.wokenText(i), " ()")
	case Event:
		line.Kind, line.What = "event", nil
		line.Type, line.Reason, line.Message = rec.Type, rec.Reason, rec.Message
	case Input:
		line.Failed = rec.Failed
	}
	return line
}

// framesInOrder returns the frames of all workloads, ordered by the record that each follows.
func framesInOrder(r *Run) (all []*Frame) {
	for _, name := range r.Workloads() {
		frames := r.Frames(name)
		for i := range frames {
			all = append(all, &frames[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *Frame) int { return a.Record - b.Record })
	return all
}
