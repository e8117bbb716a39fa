package yamltext

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// setting is a Scenario, workload a Deployment: what the page edits.
var (
	setting = object{{"apiVersion", "rollplay/v1alpha1"}, {"kind", "Scenario"}, {"spec", object{
		{"title", "What happens then"}, {"seed", "3"}, {"duration", "10m"},
		{"images", []any{object{{"match", "web:*"}, {"start", "3s"}}, object{{"match", "other"}, {"ready", "never"}}}},
		{"nodes", []any{object{{"name", "a"}, {"cpu", "4"}}, object{{"name", "b"}, {"cpu", "4"}, {"labels", object{}}}}},
		{"timeline", []any{object{{"at", "3s"}, {"run", "scale deployment web --replicas 3"}}}},
	}}}
	workload = object{{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"metadata", object{{"name", "web"}}}, {"spec", object{
		{"replicas", "3"}, {"strategy", object{{"rollingUpdate", object{{"maxSurge", "25%"}}}}}, {"paused", "true"},
		{"template", object{{"spec", object{{"containers", []any{object{{"name", "web"}, {"image", "web"}}}}}}}},
	}}}
)

// random writes both documents in a random style, with another one between them. It returns the text, and the spans and shared values of
// the document that is edited.
func random(seed uint64, o object) (text string, number int, s *styler) {
	r := rand.New(rand.NewPCG(seed, 7))
	eol := []string{"\n", "\n", "\r\n"}[r.IntN(3)]
	documents := []object{setting, workload, {{"kind", "Secret"}, {"data", object{}}}}
	r.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
	if r.IntN(9) == 0 {
		text = "\ufeff"
	}
	for i, d := range documents {
		x := &styler{r: r, eol: eol, spans: map[string]span{}, shared: map[string]bool{}}
		x.put(text)
		if i > 0 || r.IntN(3) == 0 {
			if i > 0 && r.IntN(6) == 0 {
				x.put("..." + eol)
			}
			x.put("---")
			x.comment()
		}
		if r.IntN(5) == 0 {
			x.flow("", d)
			x.comment()
		} else {
			x.fields("", d, 0, false)
		}
		if text = x.text.String(); reflect.DeepEqual(d, o) {
			s, number = x, i
		}
	}
	return text, number, s
}

// TestEditsChangeNothingElse makes every edit in 10,000 random styles of one scenario. The value at its path becomes another one; no other
// value changes, and outside of the field the text stays byte for byte. Only what an anchor shares is refused.
func TestEditsChangeNothingElse(t *testing.T) {
	edits := []struct {
		o           object
		path, value string // Prepend with +, Remove with -
	}{
		{setting, "spec/seed", "12345"}, {setting, "spec/version", `"1.34"`}, {setting, "spec/duration", "30m"}, {setting, "spec/draws", "keyed"},
		{setting, "spec/images", `+{match: "x:y", pull: fails}`}, {setting, "spec/load", "+{cpu: 2}"}, {setting, "spec/images/1/start", "9s"},
		{setting, "spec/nodes", "[{name: c}, {name: d}]"}, {setting, "spec/nodes", "-"}, {setting, "spec/timeline", "-"}, {setting, "spec/seed", "-"},
		{workload, "spec/replicas", "7"}, {workload, "spec/strategy/rollingUpdate/maxSurge", "3"}, {workload, "spec/paused", "false"},
		{workload, "spec/strategy/rollingUpdate/maxUnavailable", "1"}, {workload, "spec/updateStrategy/rollingUpdate/partition", "1"},
		{workload, "spec/template/spec/containers/0/readinessProbe", "{periodSeconds: 1}"}, {workload, "spec/template/spec/containers/0/image", `"web:2"`},
	}
	refused, made := 0, 0
	for seed := range uint64(10_000) {
		e := edits[seed%uint64(len(edits))]
		text, number, style := random(seed, e.o)
		docs := Split(text)
		if len(docs) != 3 {
			t.Fatalf("%d documents:\n%s", len(docs), text)
		}
		got, err := edited(docs[number], strings.Split(e.path, "/"), e.value)
		if err != nil {
			if refused++; !style.shared["first"] {
				t.Fatalf("seed %d, %s: %v\n%s", seed, e.path, err, text)
			}
			continue
		}
		made++
		if why := wrongEdit(text, got, number, e.path, e.value, style); why != "" {
			t.Fatalf("seed %d, %s: %s\n%s\nbecomes\n%s", seed, e.path, why, text, got)
		}
	}
	if t.Logf("%d edits, %d refused", made, refused); refused > made/20 || refused == 0 {
		t.Errorf("%d edits are refused", refused)
	}
}

// edited makes an edit: - removes, + prepends.
func edited(d *Document, path []string, value string) (string, error) {
	if value == "-" {
		return d.Remove(path)
	}
	if entry, ok := strings.CutPrefix(value, "+"); ok {
		return d.Prepend(path, entry)
	}
	return d.Set(path, value)
}

// wrongEdit says what an edit did beside its purpose.
func wrongEdit(text, got string, number int, path, value string, style *styler) string {
	before, after := Split(text), Split(got)
	if len(before) != len(after) {
		return fmt.Sprintf("%d documents", len(after))
	}
	for i := range before {
		if i != number {
			if before[i].Text != after[i].Text {
				return fmt.Sprintf("document %d changes", i+1)
			}
			continue
		}
		is, err := kubernetesValue(strings.Join(after[i].Lines, "\n"))
		was, _ := kubernetesValue(strings.Join(before[i].Lines, "\n"))
		was = changed(was, strings.Split(path, "/"), value)
		if err != nil || !reflect.DeepEqual(is, was) {
			return fmt.Sprintf("document %d is %v, want %v: %v", i+1, is, was, err)
		}
	}
	field, ok := style.spans["/"+path]
	if !ok { // a new field: nothing of the text is gone
		from := 0
		for from < len(text) && text[from] == got[from] {
			from++
		}
		field.key, field.to = from, from
	}
	begin, rest := text[:field.key], text[field.to:]
	if value == "-" { // a comma goes with its field, and a comment behind it
		const between, note = " ,\r\n", "# in brackets ]}"
		rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "# it's: {a} \"comment\", 'é'")
		begin = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(begin, between), note), between)
		rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(rest, between), note), between)
	}
	if !strings.HasPrefix(got, begin) || !strings.HasSuffix(got, rest) || len(got) < len(begin)+len(rest) {
		return "something around the field changes"
	}
	return ""
}

// changed is the value that an edit must give, written without the code under test.
func changed(v any, path []string, value string) any {
	if len(path) > 1 {
		if list, ok := v.([]any); ok {
			var i int
			fmt.Sscan(path[0], &i)
			list[i] = changed(list[i], path[1:], value)
			return list
		}
	}
	m, _ := v.(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	entry, add := strings.CutPrefix(value, "+")
	switch {
	case len(path) > 1:
		m[path[0]] = changed(m[path[0]], path[1:], value)
	case value == "-":
		delete(m, path[0])
	case add:
		list, _ := m[path[0]].([]any)
		v, _ := kubernetesValue(entry)
		m[path[0]] = append([]any{v}, list...)
	default:
		m[path[0]], _ = kubernetesValue(value)
	}
	return m
}
