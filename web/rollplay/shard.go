package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

// sharding is how the runs of a command are spread over processes: shard i of n computes each run whose number is i modulo n, and merge
// carries out the same command with all of these results instead of runs.
type sharding struct {
	index, of int // 0 of 0: all runs are computed here
	args      []string
	inputs    map[string]string   // the files that the command has read besides manifests, by name
	sources   map[string]*sources // the manifests of check: new and old

	lock    sync.Mutex
	stage   int // the runs that are spread together
	results []shardResult

	merged  map[[2]int]json.RawMessage // by stage and number, nil unless the results of shards are merged
	missing int
}

// shardHead is the first line of a shard's results. Lines of JSON may be collected in any way that keeps them whole, such as kubectl logs.
type shardHead struct {
	Kind    string              `json:"kind"` // shard
	Version string              `json:"version"`
	Shard   int                 `json:"shard"`
	Of      int                 `json:"of"`
	Args    []string            `json:"args"`
	Inputs  map[string]string   `json:"inputs"`
	Sources map[string]*sources `json:"sources,omitempty"`
	Results int                 `json:"results"`
}

// shardResult is the result of one run, or of one drain.
type shardResult struct {
	Kind   string          `json:"kind"` // result
	Shard  int             `json:"shard"`
	Stage  int             `json:"stage"`
	Number int             `json:"number"`
	Value  json.RawMessage `json:"value"`
}

func (s *sharding) String() string {
	if s.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.index, s.of)
}

func (s *sharding) Type() string { return "i/n" }

func (s *sharding) Set(text string) error {
	i, n, _ := strings.Cut(text, "/")
	index, err := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if err != nil || err2 != nil || of < 1 || of > shardsMax || index < 0 || index >= of {
		return fmt.Errorf("is i/n with i from 0 to n-1, such as 0/4 to 3/4, not %q", text)
	}
	s.index, s.of = index, of
	return nil
}

// shardsMax is the most shards of a command.
const shardsMax = 1000

// part reports whether the command computes one shard.
func (s *sharding) part() bool { return s.of > 0 && s.merged == nil }

func shardFlag(cmd *cobra.Command, c console) {
	cmd.Flags().Var(c.watch.shard, "shard", "compute only the runs of shard `i/n`, and print them for rollplay merge: 0/4 to 3/4")
}

// results spreads n runs, whose results are at some places. Of a shard it computes those of its own, and it takes those of merged shards.
func (w *watch) results(n int, run func(i int, library *scenario.Library), at func(i int) any) {
	s := w.shard
	stage := s.stage
	s.stage++
	switch {
	case s.merged != nil:
		for i := range n {
			if text, ok := s.merged[[2]int{stage, i}]; !ok {
				s.missing++
			} else {
				must.Wrap(json.Unmarshal(text, at(i)), "a result of a shard is damaged")
			}
		}
	case s.of > 0:
		mine := (n - s.index + s.of - 1) / s.of
		w.spread(mine, func(k int, library *scenario.Library) {
			i := s.index + k*s.of
			if run(i, library); w.enough.Load() {
				return
			}
			text := must.Have(json.Marshal(at(i)))
			s.lock.Lock()
			defer s.lock.Unlock()
			s.results = append(s.results, shardResult{"result", s.index, stage, i, text})
		})
	default:
		w.spread(n, run)
	}
}

// write prints the results of a shard.
func (s *sharding) write(out io.Writer) {
	slices.SortFunc(s.results, func(a, b shardResult) int { return slices.Compare([]int{a.Stage, a.Number}, []int{b.Stage, b.Number}) })
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	must.Do(enc.Encode(shardHead{"shard", version.Number, s.index, s.of, s.args, s.inputs, s.sources, len(s.results)}))
	for i := range s.results {
		must.Do(enc.Encode(&s.results[i]))
	}
}

// withoutShard returns a command line without the flag --shard.
func withoutShard(args []string) (rest []string) {
	for i := 0; i < len(args); i++ {
		if args[i] == "--shard" {
			i++ // its value
		} else if !strings.HasPrefix(args[i], "--shard=") {
			rest = append(rest, args[i])
		}
	}
	return rest
}

func mergeCommand(name string, c console) *cobra.Command {
	return &cobra.Command{Use: "merge FILES...", GroupID: deciding, Short: "join what the shards of a command have printed",
		Args: ends(func(args []string) { wrongIf(len(args) == 0, "it expects the files that shards have printed") }),
		RunE: ends(func(args []string) { must.Do(replay(name, readShards(args, c), c)) })}
}

// shards are the results of all shards of a command.
type shards struct {
	heads   map[int]*shardHead
	results map[[2]int]json.RawMessage
	count   map[int]int // results of each shard
}

func readShards(names []string, c console) *shardHead {
	s := &shards{map[int]*shardHead{}, map[[2]int]json.RawMessage{}, map[int]int{}}
	for _, name := range names {
		s.read(fileName(name), must.Have(readFile(name, shardMax, c)))
	}
	head := s.check(strings.Join(names, ", "))
	c.watch.shard.merged = s.results
	return head
}

// shardMax is the most that a file with results of shards may have, in bytes.
const shardMax = 1 << 30

// read reads the lines of a file. What other programs print between them is no JSON, and is left out.
func (s *shards) read(file, text string) {
	for number, line := range strings.Split(text, "\n") {
		var head shardHead
		if line = strings.TrimSpace(line); line == "" || json.Unmarshal([]byte(line), &head) != nil {
			must.Be(!strings.HasPrefix(line, "{"), "%s:%d: this line is cut off; collect the whole output of each shard", file, number+1)
			continue
		}
		var result shardResult
		switch head.Kind {
		case "shard":
			s.add(file, number+1, &head)
		case "result":
			must.Do(json.Unmarshal([]byte(line), &result))
			if key := [2]int{result.Stage, result.Number}; s.results[key] == nil {
				s.results[key] = result.Value
				s.count[result.Shard]++
			}
		}
	}
}

// add takes the head of a shard, which must be of the same command as the others. A shard that was computed twice counts once.
func (s *shards) add(file string, line int, h *shardHead) {
	must.Be(h.Version == version.Number, "%s:%d: the shard is from rollplay %s, and this is %s; all need the same version",
		file, line, h.Version, version.Number)
	for _, other := range s.heads {
		must.Be(h.Of == other.Of && h.command() == other.command(),
			"%s:%d: shard %d/%d is of another command, or has read other files, than shard %d/%d",
			file, line, h.Shard, h.Of, other.Shard, other.Of)
	}
	s.heads[h.Shard] = h
}

// command is equal for shards with equal arguments and inputs.
func (h *shardHead) command() string {
	return string(must.Have(json.Marshal([]any{h.Args, h.Inputs, h.Sources})))
}

// check returns a head if all shards are there with all that they have computed.
func (s *shards) check(files string) *shardHead {
	must.Be(len(s.heads) > 0, "%s: there is no result of a shard; rollplay check, sweep and forecast --seeds print them with --shard", files)
	head := s.heads[slices.Min(slices.Collect(maps.Keys(s.heads)))]
	must.Be(len(head.Args) > 0 && slices.Contains([]string{"check", "sweep", "forecast"}, head.Args[0]),
		"%s: only check, sweep and forecast --seeds have shards, not %q", files, head.Args)
	for i := range head.Of {
		h := s.heads[i]
		must.Be(h != nil, "%s: shard %d/%d is missing", files, i, head.Of)
		must.Be(s.count[i] == h.Results, "%s: shard %d/%d has %d results, and %d of them are here; collect its whole output",
			files, i, head.Of, h.Results, s.count[i])
	}
	return head
}

// replay carries out the command of some shards with their results.
func replay(name string, head *shardHead, c console) error {
	s := c.watch.shard
	maps.Copy(s.inputs, head.Inputs)
	s.sources = head.Sources
	c.in = bytes.NewReader(nil)
	root := newRoot(name, c)
	root.SetArgs(doubleDashes(root, head.Args))
	err := root.Execute()
	if s.missing > 0 && (err == nil || errors.Is(err, errUnknown)) {
		fmt.Fprintf(c.err, "rollplay merge: unknown: %s missing, because a shard ended at its --timeout or --memory\n",
			words.Plural(s.missing, "run"))
		err = errUnknown
	}
	return err
}
