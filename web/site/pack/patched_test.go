package pack

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// patchedUse prints how slices of all sizes are sorted, in which many elements are as good as others, what inserting and deleting make of them,
// texts with strings replaced, and moments.
const patchedUse = `package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// text is a random one of few letters.
func text(r *rand.Rand, n int) string {
	b := make([]byte, r.IntN(n))
	for i := range b {
		b[i] = "ab<~1"[r.IntN(5)]
	}
	return string(b)
}

type pair struct{ key, place int }

// layouts are those of the page: RFC 3339 and YAML's.
var layouts = []string{
	time.RFC3339, time.RFC3339Nano, time.DateOnly, "2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2",
}

// parsed are moments that are right, nearly right or wrong.
func parsed(r *rand.Rand) (all []string) {
	for range 200 {
		b := []byte(time.Unix(r.Int64N(1<<33), r.Int64N(3)*r.Int64N(1e9)).UTC().Format(layouts[r.IntN(len(layouts))]))
		if r.IntN(2) == 0 {
			b = append(b[:len(b)-1], []string{"+05:30", "-24:00", "+25:00", "-00:61", "*01:00", "+1:00", ",5Z", ".Z", "z"}[r.IntN(9)]...)
		}
		for range r.IntN(3) {
			k := r.IntN(len(b))
			b = slices.Replace(b, k, min(k+r.IntN(2), len(b)), "0123569-:.,TtZ +x"[r.IntN(17)])
		}
		at, err := time.ParseInLocation(layouts[r.IntN(len(layouts))], string(b), time.UTC)
		all = append(all, fmt.Sprintf("%s %s %v", b, at, err))
	}
	return all
}

func main() {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		pairs, numbers, texts := make([]pair, n), make([]float64, n), make([]string, n)
		for i := range n {
			k := r.IntN(1 + n/3)
			pairs[i], numbers[i], texts[i] = pair{k, i}, float64(k), fmt.Sprint(k)
		}
		stable := slices.Clone(pairs)
		slices.SortFunc(pairs, func(a, b pair) int { return a.key - b.key })
		slices.SortStableFunc(stable, func(a, b pair) int { return b.key - a.key })
		slices.Sort(numbers)
		slices.Sort(texts)
		list := slices.Insert(slices.Clone(stable), n/2, pairs[:n/3]...)
		list = slices.Grow(list, n)
		list = slices.Insert(list, len(list)/3, list[len(list)/3:len(list)/2]...)
		list = slices.Insert(list, len(list)/3, list[len(list)/2:len(list)/2+n/4]...) // a part of what moves
		list = slices.DeleteFunc(slices.Insert(list, 0, pair{1, 1}), func(p pair) bool { return p.key%3 == 1 })
		fmt.Println(pairs, stable, numbers, texts, list, len(list))
		var oldnew []string
		for range r.IntN(5) {
			oldnew = append(oldnew, "ab<~1"[r.IntN(5):][:1]+text(r, 3), text(r, 4))
		}
		at := time.Unix(r.Int64N(1<<33), r.Int64N(1e9)).In([]*time.Location{time.UTC, time.FixedZone("UTC+5:30", 19800)}[n%2])
		again, err := time.Parse(time.RFC3339Nano, at.Format(time.RFC3339Nano))
		fmt.Printf("%q %q %s %s %t %v\n", parsed(r), strings.NewReplacer(oldnew...).Replace(text(r, 40)), at, at.Format(time.RFC1123Z), again.Equal(at), err)
	}
}
`

// TestPatchedFunctions checks that the patched functions of slices, strings and time give the same as Go's own: a run in the browser is one of the
// command, byte for byte.
func TestPatchedFunctions(t *testing.T) {
	dir := t.TempDir()
	replace := map[string]string{}
	for _, p := range goPatches {
		if folder, _, _ := strings.Cut(p.file, "/"); !slices.Contains([]string{"sort", "slices", "strings", "time"}, folder) {
			continue
		}
		text, err := p.apply(filepath.Join(goRoot(), "src", p.file))
		to := filepath.Join(dir, filepath.Base(p.file))
		if err == nil {
			err = os.WriteFile(to, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(goRoot(), "src", p.place())] = to
	}
	overlay, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "main.go")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(overlay, text, 0o644)
	}
	if err == nil {
		err = os.WriteFile(program, []byte(patchedUse), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(flags ...string) string {
		out, err := exec.Command("go", append(append([]string{"run"}, flags...), program)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", flags, err, out)
		}
		return string(out)
	}
	if own, patched := run(), run("-overlay", overlay); own != patched || strings.Count(own, "\n") != 600 {
		t.Error("the patched functions give something else than Go's own")
	}
}
