package recorded

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// TestRecordings replays everything that there is: not one sync, choice or tick may differ.
func TestRecordings(t *testing.T) {
	report, err := Replay(os.DirFS("testdata"), func(d Difference) { t.Error(d) })
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{ // so that a file that is read as empty is noticed
		"deployment/sync-pairs.jsonl.gz":     5000,
		"deployment/rs-deletes.jsonl.gz":     700,
		"deployment/fixpoint.trace.jsonl.gz": 8000,
		"deployment/once.trace.jsonl.gz":     8000,
		"deployment/queue.trace.jsonl.gz":    8000,

		"statefulset/fixpoint.trace.jsonl.gz": 4800,
		"statefulset/once.trace.jsonl.gz":     4800,
		"statefulset/queue.trace.jsonl.gz":    4800,
		"daemonset/queue.trace.jsonl.gz":      4000,
	}
	const once = "statefulset/once.trace.jsonl.gz" // in which a status goes below zero, once
	for i := range report.Files {
		f := &report.Files[i]
		t.Log(f)
		if f.Compared < least[f.Name] || f.Skipped != nil && (f.Name != once || len(f.Skipped) > 1) {
			t.Errorf("%s: want at least %d comparisons, and nothing skipped", f, least[f.Name])
		}
		delete(least, f.Name)
	}
	if len(least) > 0 {
		t.Errorf("not replayed: %v", least)
	}
}

// TestFalseRecordings changes one fact of a recording at a time: the replay must see each.
func TestFalseRecordings(t *testing.T) {
	const (
		pairs   = "sync-pairs.jsonl.gz"
		deletes = "rs-deletes.jsonl.gz"
		queue   = "queue.trace.jsonl.gz"
		sets    = "statefulset/queue.trace.jsonl.gz"
		daemons = "daemonset/queue.trace.jsonl.gz"
	)
	for _, test := range []struct {
		name     string
		file     string
		holding  string // the first record that holds this is changed
		from, to string
		want     string // is part of a difference
	}{
		{"a size", pairs, `from 10 to 8"`, `"replicas":8,`, `"replicas":9,`, "size: want 9, got 8"},
		{"an event", pairs, `from 10 to 8"`, `from 10 to 8"`, `from 10 to 9"`, "events: want"},
		{"a condition's time", pairs, `"reason":"ReplicaSetUpdated"`, `"upd":0`, `"upd":1`, "conditions: want"},
		{"a write", pairs, `"w":[{"v":"update","r":"deployments"`, `"v":"update"`, `"v":"patch"`, "writes: want"},
		{"a conflict", pairs, `"err":"Operation`, `"err":"Operation`, `"err":"operation`, "error: want operation"},
		{"a choice", deletes, `"deleted":["web-7b99dd6698-00008"]`, `-00008"]`, `-00001"]`, "deleted pods of web-7b99dd6698: want [web-7b99dd6698-00001], got [web-7b99dd6698-00008]"},
		{"a tick", queue, `"rec":"tick","t":3,`, `"obs":1,"rev"`, `"obs":2,"rev"`, "observedGeneration: want 2, got 1"},
		{"pods", queue, `"rec":"tick","t":3,`, `"pods":{"ready":`, `"pods":{"run":1,"ready":`, "pods: want {Pending:0 Running:1"},
		{"a refusal", queue, `"op":"ready-pod","image":"v1","count":3`, `"rec":"op"`, `"err":"no","rec":"op"`, "refused operations: want [no], got []"},
		{"a StatefulSet's status", sets, `"rec":"tick","t":5,`, `"st":[2,1,1,2,2]`, `"st":[2,2,1,2,2]`,
			"available/current/updated: want [2 2 1 2 2], got [2 1 1 2 2]"},
		{"a StatefulSet's pod", sets, `"rec":"tick","t":1,`, `"phase":"Running"`, `"phase":"Pending"`, "pods: want [{Name:web-0"},
		{"a DaemonSet's status", daemons, `"rec":"tick","t":4,`, `"st":[`, `"st":[1`, "misscheduled/ready/updated/available/unavailable: want"},
		{"a revision", daemons, `"rec":"tick","t":4,`, `"n":1,`, `"n":7,`, "revisions: want"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fsys := falsified(t, test.file, test.holding, test.from, test.to)
			var found []string
			report, err := Replay(fsys, func(d Difference) { found = append(found, d.String()) })
			if err != nil {
				t.Fatal(err)
			}
			if _, different := report.Total(); different == 0 || !strings.Contains(strings.Join(found, "\n"), test.want) {
				t.Errorf("got %d different, %q; want one with %q", different, found, test.want)
			}
		})
	}
}

// falsified returns a directory with the records of a file up to the changed one.
func falsified(t *testing.T, file, holding, from, to string) fstest.MapFS {
	t.Helper()
	var lines []string
	if !strings.Contains(file, "/") {
		file = "deployment/" + file
	}
	err := readLines(os.DirFS("testdata"), file, func(r *json.RawMessage) error {
		line := string(*r)
		if strings.Contains(line, `"rec":"head"`) {
			lines = nil // the scenario that holds the record is enough
		}
		lines = append(lines, line)
		if strings.Contains(line, holding) && strings.Contains(line, from) {
			last := len(lines) - 1
			at := strings.LastIndex(line, from)
			lines[last] = line[:at] + to + line[at+len(from):]
			return errFound
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), errFound.Error()) {
		t.Fatalf("no record of %s holds %q and %q: %v", file, holding, from, err)
	}
	if !strings.Contains(file, "trace") {
		lines = lines[len(lines)-1:]
	} else if !strings.Contains(lines[len(lines)-1], `"rec":"tick"`) {
		lines = append(lines, nextTick(t, lines[len(lines)-1]))
	}
	return fstest.MapFS{file: {Data: zipped(t, lines)}}
}

var errFound = os.ErrExist // any error that the reader does not make

// nextTick returns a tick at the time of a record.
func nextTick(t *testing.T, line string) string {
	t.Helper()
	var r Record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(map[string]any{"rec": "tick", "t": r.T, "same": true})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func zipped(t *testing.T, lines []string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSkipped lets what is not modelled be counted, not compared.
func TestSkipped(t *testing.T) {
	lines := []string{
		`{"rec":"head","t":0,"head":{"mode":"once","scenario":{"name":"a","kind":"CronJob","nodes":1,"spec":{"image":"v1"}}}}`,
		`{"rec":"tick","t":0}`,
		`{"rec":"head","t":0,"head":{"mode":"once","scenario":{"name":"b","kind":"Deployment","nodes":1,"spec":{"image":"v1"},"ops":[{"t":3,"op":"juggle"}]}}}`,
		`{"rec":"tick","t":0}`,
	}
	report, err := Replay(fstest.MapFS{"odd/once.trace.jsonl.gz": {Data: zipped(t, lines)}}, func(d Difference) { t.Error(d) })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := report.Files[0].String(), "odd/once.trace.jsonl.gz: 0 compared, 0 different; 1 skipped: kind CronJob; 1 skipped: operation juggle"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := report.String(), "0 compared, 0 different (1 files skipped: odd/once.trace.jsonl.gz)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
