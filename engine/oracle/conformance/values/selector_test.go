package values

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/rollplay/rollplay/engine/enginetest/draw"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

var selectorGrammar = draw.Grammar{
	"selector": {"«term»", "«term»", "«term»,«term»", "«term»,«term»,«term»", "«term»«blank»,«blank»«term»", "«part»«part»", "«part»«part»«part»", "", ",", "«term»,", ",«term»", "«term» «term»"},
	"term":     {"«key»«op»«value»", "«key»«op»«value»", "«key»«blank»«op»«blank»«value»", "«key» in («values»)", "«key» notin («values»)", "«key»«blank»in«blank»(«values»)", "«key»", "!«key»", "!«blank»«key»", "«key»>«number»", "«key»<«number»", "«key»«op»", "«key» «word» («values»)", "!«key»«op»«value»", "!«key» in («values»)"},
	"part":     {"«key»", "«op»", "«value»", "(", ")", ",", "«blank»", "in", "notin", "!", "«key»«op»«value»", "(«values»)", "«word»"},
	"key":      {"app", "app", "tier", "n", "a.b/c", "gone", "in", "notin", "-bad", "a/b/c", "/x", "x/", "A_b", "«long»", "UP/x", "a..b/c", "a b"},
	"long":     {"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg"},
	"op":       {"=", "=", "=", "==", "!=", "!=", "===", "=!", "<", ">", ">=", "<=", "!", "=="},
	"value":    {"web", "web", "db", "3", "10", "", "in", "notin", "-x", "x-", "a,b", "a b", "é", "«long»", "front", "!", "'web'", `"web"`},
	"values":   {"web", "web,db", "web, db", "web,,db", "", ",", "web,", " web , db ", "web db", "3", "in,notin", "a=b", "(web)", "«value»,«value»", "«value»,«value»,«value»"},
	"number":   {"3", "10", "-1", "x", "", "1.5", "99999999999999999999", "03"},
	"word":     {"in", "notin", "IN", "exists", "gt", "=in"},
	"blank":    {"", "", " ", "  ", "\t", "\n"},
}

var labelSets = []map[string]string{
	{}, {"app": "web"}, {"app": "db", "tier": "front"}, {"app": "", "n": "3"}, {"n": "10"}, {"n": "03", "a.b/c": "web"}, {"tier": "x", "in": "in", "notin": "web"}, {"n": "-1", "A_b": "3"}, {"n": "x"},
}

// TestLabelSelectors compares random selectors of labels: their errors, what they select, and how an object has them.
func TestLabelSelectors(t *testing.T) {
	for text := range texts(selectorGrammar, 3, "selector") {
		ours, ourErr := line.ParseSelector(text)
		real, realErr := labels.Parse(text)
		if fmt.Sprint(realErr) != fmt.Sprint(ourErr) {
			t.Errorf("%q\n real %v\n ours %v", text, realErr, ourErr)
		}
		if realErr != nil || ourErr != nil {
			continue
		}
		for _, set := range labelSets {
			if ours.Matches(set) != real.Matches(labels.Set(set)) {
				t.Errorf("%q of %v: ours says %v", text, set, ours.Matches(set))
			}
		}
		ourObject, ourErr := ours.InObject()
		realObject, realErr := metav1.ParseToLabelSelector(text)
		if a, b := written(realObject, realErr), written(ourObject, ourErr); a != b {
			t.Errorf("%q in an object\n real %s\n ours %s", text, a, b)
		}
	}
}

func written(object any, err error) string {
	if err != nil {
		return err.Error()
	}
	b, _ := json.Marshal(object)
	return string(b)
}

var fieldGrammar = draw.Grammar{
	"selector": {"«term»", "«term»,«term»", "«term»,«term»,«term»", "", ",", "«term»,", "«part»«part»«part»", "«field»=«value»,«field»!=«value»"},
	"term":     {"«field»«op»«value»", "«field»«op»«value»", "«field»", "«op»", "«value»", "«field» «op» «value»"},
	"part":     {"«field»", "«op»", "«value»", ",", `\`, "=", "!"},
	"field":    {"metadata.name", "status.phase", "a", "b", "", `a\=b`, "é"},
	"op":       {"=", "=", "==", "!=", "!==", "===", "=!", "!", `\=`},
	"value":    {"web", "Running", "", `a\,b`, `a\=b`, `a\\b`, `a\b`, `\`, "a=b", `\é`, " ", "!", `\\`, `\\,`},
}

func TestFieldSelectors(t *testing.T) {
	for text := range texts(fieldGrammar, 4, "selector") {
		ours, ourErr := read.ParseFieldSelector(text)
		real, realErr := fields.ParseSelector(text)
		var want read.FieldSelector
		if realErr == nil {
			for _, c := range real.Requirements() {
				want = append(want, read.FieldCondition{Field: c.Field, Value: c.Value, Not: c.Operator == "!="})
			}
		}
		if fmt.Sprint(realErr) != fmt.Sprint(ourErr) || !slices.Equal(ours, want) {
			t.Errorf("%q\n real %+v, %v\n ours %+v, %v", text, want, realErr, ours, ourErr)
		}
	}
}
