package recorded

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Report is the result of replaying a directory.
type Report struct {
	Files []FileReport
}

// FileReport is the result of replaying a file.
type FileReport struct {
	Name      string
	Compared  int // syncs or choices
	Different int
	Skipped   map[string]int // reason -> how many records, or the whole file
}

// Replay replays every recording in a directory and its subdirectories, and reports differences as it finds them.
func Replay(fsys fs.FS, report func(Difference)) (*Report, error) {
	total := &Report{}
	for _, kind := range []struct {
		name   string
		replay func(fs.FS, *FileReport, func(Difference)) error
	}{
		{"sync-pairs.jsonl.gz", replayPairs},
		{"rs-deletes.jsonl.gz", replayDeletions},
		{"*.trace.jsonl.gz", skipRuns},
	} {
		for _, pattern := range []string{kind.name, "*/" + kind.name} {
			names, err := fs.Glob(fsys, pattern)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				f := FileReport{Name: name}
				if err := kind.replay(fsys, &f, func(d Difference) { d.File = name; report(d) }); err != nil {
					return nil, err
				}
				total.Files = append(total.Files, f)
			}
		}
	}
	if len(total.Files) == 0 {
		return nil, fmt.Errorf("no recordings there")
	}
	return total, nil
}

func replayPairs(fsys fs.FS, f *FileReport, report func(Difference)) error {
	return readLines(fsys, f.Name, func(p *Pair) error {
		if p.Pre.Deployment == nil || p.Post.Deployment == nil {
			f.skip("syncs without a Deployment")
			return nil
		}
		f.count(guarded(func() []string { return ReplayPair(p) }), Difference{Scenario: p.Scenario, Mode: p.Mode, T: p.T}, report)
		return nil
	})
}

func replayDeletions(fsys fs.FS, f *FileReport, report func(Difference)) error {
	return readLines(fsys, f.Name, func(r *Deletion) error {
		f.count(guarded(func() []string { return ReplayDeletion(r) }), Difference{Scenario: r.Scenario, Mode: r.Mode, T: r.T}, report)
		return nil
	})
}

// skipRuns skips a recording of whole runs: make conformance judges each of their syncs, and many more.
func skipRuns(_ fs.FS, f *FileReport, _ func(Difference)) error {
	f.skip("a recording of whole runs")
	return nil
}

// guarded turns a panic of the engine into a difference.
func guarded(replay func() []string) (d []string) {
	defer func() {
		if r := recover(); r != nil {
			d = append(d, fmt.Sprint("panic: ", r))
		}
	}()
	return replay()
}

// count counts one comparison and reports its differences.
func (f *FileReport) count(found []string, d Difference, report func(Difference)) {
	f.Compared++
	if len(found) == 0 {
		return
	}
	f.Different++
	for _, d.What = range found {
		report(d)
	}
}

// skip counts something that is not replayed.
func (f *FileReport) skip(reason string) {
	if f.Skipped == nil {
		f.Skipped = map[string]int{}
	}
	f.Skipped[reason]++
}

// String returns the numbers of a file on one line.
func (f *FileReport) String() string {
	text := fmt.Sprintf("%s: %d compared, %d different", f.Name, f.Compared, f.Different)
	for _, reason := range slices.Sorted(maps.Keys(f.Skipped)) {
		text += fmt.Sprintf("; %d skipped: %s", f.Skipped[reason], reason)
	}
	return text
}

// Total returns the sums of all files.
func (r *Report) Total() (compared, different int) {
	for i := range r.Files {
		compared += r.Files[i].Compared
		different += r.Files[i].Different
	}
	return compared, different
}

// String returns the sums on one line, with the names of the files in which nothing was compared.
func (r *Report) String() string {
	compared, different := r.Total()
	var skipped []string
	for i := range r.Files {
		if r.Files[i].Compared == 0 {
			skipped = append(skipped, r.Files[i].Name)
		}
	}
	text := fmt.Sprintf("%d compared, %d different", compared, different)
	if len(skipped) > 0 {
		text += fmt.Sprintf(" (%d files skipped: %s)", len(skipped), strings.Join(skipped, ", "))
	}
	return text
}
