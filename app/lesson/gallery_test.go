package lesson

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// galleryCase is what a browser has kept, on a day.
type galleryCase struct {
	Seen, Answers string
	Day           int
}

// standing is what the program or the gallery makes of it: the question with which a review begins, how many there are, and what is mastered.
type standing struct {
	First    string
	Count    int
	Mastered []string
}

// TestGalleryAgrees: the gallery loads no program and works out the intervals, the order of a review and what is mastered by itself. Both say
// the same of what a browser may have kept, also when it is damaged. After each case comes the same without the first question, so the whole
// order is compared.
func TestGalleryAgrees(t *testing.T) {
	cases := galleryCases(150)
	want := make([]standing, len(cases))
	offered := 0
	for i, c := range cases {
		want[i] = c.inProgram()
		offered += want[i].Count
	}
	if len(cases) < 500 || offered < 1000 {
		t.Fatalf("%d cases with %d questions", len(cases), offered)
	}
	script := galleryScript(t)
	for i, got := range inGallery(t, script, cases) {
		if !same(got, want[i]) {
			t.Fatalf("the gallery says %+v, the program %+v: on day %d of\n%sseen%s", got, want[i], cases[i].Day, cases[i].Answers, cases[i].Seen)
		}
	}
	for what, change := range map[string][2]string{
		"an interval":           {"[1, 3, 7, 21]", "[1, 3, 8, 21]"},
		"the most":              {"Math.min(5,", "Math.min(4,"},
		"the least":             {"Math.max(3,", "Math.max(2,"},
		"what was wrong":        {`a.state === "right") - Number(b.state`, `b.state === "right") - Number(a.state`},
		"the longest due":       {"a.due - b.due", "b.due - a.due"},
		"equally long due":      {"a.key < b.key", "a.key > b.key"},
		"what is due":           {"Number(b.due <= now)", "Number(b.due < now)"},
		"today":                 {"a.day < now", "a.day <= now"},
		"mastered":              {` || state === "slipped"`, ""},
		"damaged":               {"(Number(line[1]) || 0) in intervals", "true"},
		"a lesson that is seen": {"isSeen(card) ? 3", "isSeen(card) ? 2"},
	} {
		changed := strings.Replace(script, change[0], change[1], 1)
		if changed == script {
			t.Errorf("%s: the gallery has no %s", what, change[0])
			continue
		}
		if slices.EqualFunc(inGallery(t, changed, cases), want, same) {
			t.Errorf("nothing notices another gallery: %s", what)
		}
	}
}

func same(a, b standing) bool {
	return a.First == b.First && a.Count == b.Count && slices.Equal(a.Mastered, b.Mastered)
}

// galleryCases draws answers, and then the same without the question that is asked first.
func galleryCases(n int) (cases []galleryCase) {
	var keys []string
	for _, name := range scenarios.Names() {
		for _, at := range gallery.Asks(name) {
			keys = append(keys, name+":"+at)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		c := galleryCase{Day: 20_000}
		for _, name := range scenarios.Names() {
			if random.IntN(3) == 0 {
				c.Seen += " " + name
			}
		}
		from := random.IntN(len(keys) - 12)
		for _, i := range random.Perm(12)[:random.IntN(13)] {
			state := []string{right, wrong, slipped}[random.IntN(3)]
			c.Answers += fmt.Sprintf("%s %d %d %s\n", keys[from+i], random.IntN(len(intervals)), c.Day-random.IntN(25), state)
		}
		if random.IntN(4) == 0 {
			c.Answers += keys[0] + []string{" 4 19990 right\n", " x 19990 right\n", ":7 0 19990 right\n", " 0 19990\n", "\n"}[random.IntN(5)]
		}
		for c.Answers != "" {
			cases = append(cases, c)
			first := c.inProgram().First
			if first == "" {
				break
			}
			lines := strings.SplitAfter(c.Answers, "\n")
			c.Answers = strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, first+" ") }), "")
		}
	}
	return cases
}

func (c *galleryCase) inProgram() (s standing) {
	p := New(session.New(false))
	p.Today = func() int { return c.Day }
	p.seen = c.Seen
	p.read(c.Answers)
	p.master()
	if keys := p.review(); len(keys) > 0 {
		s.First, s.Count = keys[0], len(keys)
	}
	s.Mastered = strings.Fields(p.Mastered)
	return s
}

func galleryScript(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("..", "..", "web", "shell", "gallery.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// inGallery runs the gallery's script over cases, in Node.
func inGallery(t *testing.T, script string, cases []galleryCase) (all []standing) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	lessons := map[string][]string{}
	for _, name := range scenarios.Names() {
		lessons[name] = gallery.Asks(name)
	}
	input, err := json.Marshal(map[string]any{"Lessons": lessons, "Cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "gallery.js"), filepath.Join(dir, "cases.json")}
	for i, content := range []string{script, string(input)} {
		if err := os.WriteFile(files[i], []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(node, append([]string{filepath.Join("..", "..", "web", "shell", "testing", "gallery.js")}, files...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &all); err != nil || len(all) != len(cases) {
		t.Fatalf("%d of %d cases: %v", len(all), len(cases), err)
	}
	for i := range all {
		slices.SortFunc(all[i].Mastered, func(a, b string) int { return slices.Index(scenarios.Names(), a) - slices.Index(scenarios.Names(), b) })
	}
	return all
}
