package recorded

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Report says how the replay of a directory went.
type Report struct {
	Files []FileReport
}

// FileReport says how the replay of a file went. Single syncs, single choices and the ticks of whole scenarios are
// compared; a tick after one that differs most often differs, too.
type FileReport struct {
	Name      string
	Compared  int
	Different int
	Skipped   map[string]int // what is not modelled -> how many scenarios or records need it
}

// Replay replays every recording in the subdirectories of a directory, and in the directory itself. Differences are
// reported as they are found, of a whole scenario the first one.
func Replay(fsys fs.FS, report func(Difference)) (*Report, error) {
	total := &Report{}
	for _, kind := range []struct {
		name   string
		replay func(fs.FS, *FileReport, func(Difference)) error
	}{
		{"sync-pairs.jsonl.gz", replayPairs},
		{"rs-deletes.jsonl.gz", replayDeletions},
		{"*.trace.jsonl.gz", replayTrace},
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
			f.skip("syncs of no Deployment")
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

func replayTrace(fsys fs.FS, f *FileReport, report func(Difference)) error {
	p := &player{file: f, report: report}
	return readLines(fsys, f.Name, p.play)
}

// guarded turns a broken invariant of the engine into a difference.
func guarded(replay func() []string) (d []string) {
	defer func() {
		if r := recover(); r != nil {
			d = append(d, fmt.Sprint("panic: ", r))
		}
	}()
	return replay()
}

// count counts one comparison and reports what is different in it.
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

// skip counts something that is not modelled.
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

// String returns the sums on one line, with the files of which nothing could be compared.
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
