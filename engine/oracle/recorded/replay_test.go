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

// TestRecordings replays everything in testdata: no sync and no choice may differ.
func TestRecordings(t *testing.T) {
	report, err := Replay(os.DirFS("testdata"), func(d Difference) { t.Error(d) })
	if err != nil {
		t.Fatal(err)
	}
	least := map[string]int{ // so that a file that is read as empty is noticed
		"deployment/sync-pairs.jsonl.gz": 5000,
		"deployment/rs-deletes.jsonl.gz": 700,
	}
	for i := range report.Files {
		f := &report.Files[i]
		t.Log(f)
		if f.Compared < least[f.Name] || f.Skipped != nil {
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
		pairs   = "deployment/sync-pairs.jsonl.gz"
		deletes = "deployment/rs-deletes.jsonl.gz"
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

// falsified returns a directory with one record of a file, changed.
func falsified(t *testing.T, file, holding, from, to string) fstest.MapFS {
	t.Helper()
	changed := ""
	err := readLines(os.DirFS("testdata"), file, func(r *json.RawMessage) error {
		line := string(*r)
		if at := strings.LastIndex(line, from); at >= 0 && changed == "" && strings.Contains(line, holding) {
			changed = line[:at] + to + line[at+len(from):]
		}
		return nil
	})
	if err != nil || changed == "" {
		t.Fatalf("no record of %s holds %q and %q: %v", file, holding, from, err)
	}
	return fstest.MapFS{file: {Data: zipped(t, []string{changed})}}
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

// TestSkipped skips recordings of whole runs, and names them.
func TestSkipped(t *testing.T) {
	fsys := fstest.MapFS{"odd/once.trace.jsonl.gz": {Data: zipped(t, []string{`{"rec":"head"}`})}}
	report, err := Replay(fsys, func(d Difference) { t.Error(d) })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := report.Files[0].String(), "odd/once.trace.jsonl.gz: 0 compared, 0 different; 1 skipped: a recording of whole runs"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := report.String(), "0 compared, 0 different (1 files skipped: odd/once.trace.jsonl.gz)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
