package pack

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sorting prints how slices of all sizes are sorted, in which many elements are as good as others, and what inserting and deleting make of them.
const sorting = `package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

type pair struct{ key, place int }

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
	}
}
`

// TestSorts checks that the patched functions of slices move the same elements to the same places as Go's own: a run in the browser is one of
// the command, byte for byte.
func TestSorts(t *testing.T) {
	dir := t.TempDir()
	replace := map[string]string{}
	for _, p := range goPatches {
		if !strings.Contains(p.file, "sort") && !strings.HasPrefix(p.file, "slices/") {
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
		err = os.WriteFile(program, []byte(sorting), 0o644)
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
	if own, patched := run(), run("-overlay", overlay); own != patched || strings.Count(own, "\n") != 300 {
		t.Error("the patched functions sort otherwise than Go's own")
	}
}
