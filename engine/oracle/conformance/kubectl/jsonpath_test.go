package kubectl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/jsonpath"

	"github.com/rollplay/rollplay/engine/enginetest/draw"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// pathTree has every sort of value, and keys that a path must escape.
const pathTree = `{"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [
	{"kind": "Pod", "metadata": {"name": "web-1", "creationTimestamp": null, "labels": {"app": "web", "a.b/c": "dotted"}, "generation": 3},
		"spec": {"containers": [{"name": "web", "image": "web:1", "ports": [{"containerPort": 80}, {"containerPort": 8443}]}, {"name": "log", "image": "log:2"}]},
		"status": {"phase": "Running", "ready": true, "conditions": [{"type": "Ready", "status": "True"}, {"type": "Slow", "status": "<False>"}]}},
	{"kind": "Pod", "metadata": {"name": "web-2", "labels": {}, "generation": 1000000},
		"spec": {"containers": [], "share": 1.5}, "status": {"phase": "Pending", "ready": false, "conditions": null}},
	{"kind": "Node", "metadata": {"name": "node-1"}, "spec": {"taints": [{"key": "a"}, {"key": "b", "value": "x"}, {"key": "c", "value": null}], "share": 0.00001}}
], "numbers": [3, 1, 2.5, -4, 0], "texts": ["b", "a", ""], "mixed": [1, "1", true, null, {"a": 1}, [1, 2]], "nothing": null, "empty": {}}`

// pathGrammar has the parts of random templates.
var pathGrammar = draw.Grammar{
	"template": {"{«path»}", "{«path»}", "{«path»}", "«text»{«path»}«text»", "{«path»}{«path»}", "{range «path»}{«path»}«text»{end}", "{range .items[*]}{«path»}«text»{end}«text»{«path»}",
		"{range .items[*]}{range «path»}{«path»}{end}«text»{end}", "{range «path»}{«path»}", "{«path»}{end}", "{range «path»}{end}{«path»}", "{range .items[*]}{range .texts}{end end}«text»{end}{«path»}", "{range «path»}{«path»}{end end}«text»{end}", "«text»", "{«node»}", "{}", "{«blank»«path»«blank»}"},
	"path":  {"«start»«node»", "«start»«node»«node»", "«start»«node»«node»«node»", "«start»«node»«node»", "«path» «path»", ".items[*]«node»«node»", ".items[«index»]«node»«node»«node»", ".items[*].spec.containers[*]«node»", "«start»"},
	"start": {"", "", "", "@", "$", "@.", "$."},
	"node": {".«key»", ".«key»", ".«key»", ".«key»", ".*", "..«key»", "..", "[«index»]", "[«index»]", "[*]", "['«quotable»']", "[«union»]", "[?(«filter»)]", "[?(«filter»)]",
		"«value»", ".", "...", "[", "]", "«word»"},
	"index":    {"0", "1", "-1", "-2", "7", "-9", "0:1", "0:2", "1:", ":2", "-1:", ":-1", "0:9", "2:1", "1:1", "0:3:2", "::2", "0:2:0", "::-1", "", ":", "*", "x", "-", "1:x", "1:2:3:4", " 0", "1:2:9223372036854775807", "9223372036854775807", "-9223372036854775808:", "99999999999999999999"},
	"union":    {"«index»,«index»", "'«quotable»','«quotable»'", "'«quotable»', '«quotable»'", "0,'«quotable»'", "0,", ",", "«index», «index»,«index»"},
	"key":      {"items", "metadata", "name", "labels", "spec", "containers", "image", "status", "phase", "kind", "conditions", "type", "taints", "key", "numbers", "texts", "mixed", "nothing", "empty", "generation", "share", "ports", "creationTimestamp", "app", "gone", "value", "a\\.b/c", "a.b/c", "ready"},
	"quotable": {"«key»", "«key»", "metadata.name", "a b", "", "}", "]"},
	"filter":   {"@.«key»«op»«value»", "@.«key»«op»«value»", "@.«key».«key»«op»«value»", "@«op»«value»", "@.«key»", "@.«key»«op»@.«key»", "@.«key».«key»", "@.«key» «op» «value»", "«value»«op»@.«key»", "@«node»«op»«value»", "@«node»", "«op»", "@.«key»«op»", ""},
	"op":       {"==", "==", "==", "!=", "<", ">", "<=", ">=", "=", "=~", "===", "!"},
	"value":    {`"web-1"`, `"Ready"`, `'True'`, `"x"`, `"a)b"`, `"a b"`, `""`, "1", "3", "0", "1.5", "2.5", "-4", "+3", "1.", ".5", "true", "false", "web", `"a\nb"`, `"a\"b"`, `"a\qb"`, `'it"s'`, `"open`, "1000000", "null"},
	"word":     {"range", "end", "name", "true", "12", "1.2.3", "+", "-", "_a", "é", "~", "|", "(", "\\.", "\t", "\n", "\\n"},
	"text":     {"", "", " ", "\n", "a", "'", "}", "é"},
	"blank":    {" ", "  ", ""},
}

// drawPath returns a random template. Some have a letter too many or too few.
func drawPath(r *rand.Rand) string {
	text := pathGrammar.Text(r, "template")
	if r.IntN(6) == 0 && text != "" {
		letters := []rune(text)
		i := r.IntN(len(letters))
		switch sign := []rune(`{}[]().,:'"\@?= *a0-`); r.IntN(3) {
		case 0:
			letters = slices.Delete(letters, i, i+1)
		case 1:
			letters = slices.Insert(letters, i, sign[r.IntN(len(sign))])
		default:
			letters[i] = sign[r.IntN(len(sign))]
		}
		text = string(letters)
	}
	return text
}

// errPanic says that client-go panics, as it does if an index or a filter follows nothing. Ours then answers.
var errPanic = errors.New("panic")

// realPath returns what client-go makes of a template, for one tree after the other up to an error; its own error if it takes no such template.
func realPath(text string, trees ...any) (printed string, err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	j := jsonpath.New("out").AllowMissingKeys(true)
	if err := j.Parse(text); err != nil {
		return "", fmt.Errorf("error parsing jsonpath %s, %w", text, err)
	}
	var out bytes.Buffer
	for i := 0; i < len(trees) && err == nil; i++ {
		err = j.Execute(&out, trees[i])
	}
	return out.String(), err
}

// ourPath returns what ours makes of it.
func ourPath(text string, trees ...any) (printed string, err error) {
	if text == "" {
		return "", nil
	}
	show, err := print.ReadTemplate("jsonpath", text)
	if err != nil {
		return "", err
	}
	for _, tree := range trees {
		more, err := show(tree)
		if printed += more; err != nil {
			return printed, errors.Unwrap(err)
		}
	}
	return printed, nil
}

// TestJSONPath compares random templates of jsonpath with client-go's, in what they print and in their errors.
func TestJSONPath(t *testing.T) {
	u := new(unstructured.Unstructured)
	if err := u.UnmarshalJSON([]byte(pathTree)); err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal([]byte(pathTree), &tree); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 26))
	for range 100_000 {
		text := drawPath(r)
		items, realItems := []any{tree, tree}, []any{u.Object, u.Object}
		if n := r.IntN(len(items) + 1); n < len(items) { // a template prints one tree after the other in a watch
			items, realItems = items[n:], realItems[n:]
		} else {
			items[1], realItems[1] = tree["items"].([]any)[0], u.Object["items"].([]any)[0]
		}
		ours, ourErr := ourPath(text, items...)
		real, realErr := realPath(text, realItems...)
		for n := 0; n < 100 && !alike(real, ours, realErr, ourErr); n++ { // maps come in any order
			real, realErr = realPath(text, realItems...)
		}
		if realErr != errPanic && !alike(real, ours, realErr, ourErr) {
			t.Errorf("%d trees, %q\n real %.300q, %v\n ours %.300q, %v", len(items), text, real, realErr, ours, ourErr)
		}
	}
}

// alike says whether two answers are the same but for the order of maps.
func alike(real, ours string, realErr, ourErr error) bool {
	if realErr != nil || ourErr != nil {
		return fmt.Sprint(realErr) == fmt.Sprint(ourErr)
	}
	a, b := []byte(real), []byte(ours)
	slices.Sort(a)
	slices.Sort(b)
	return bytes.Equal(a, b)
}
