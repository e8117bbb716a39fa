package api

import "testing"

// TestSelectorMatches is A-12: every label and every expression must hold; an empty selector matches everything, none
// matches nothing.
func TestSelectorMatches(t *testing.T) {
	expression := func(key, operator string, values ...string) *LabelSelector {
		return &LabelSelector{MatchExpressions: []SelectorRequirement{{key, operator, values}}}
	}
	both := expression("tier", "In", "front", "back")
	both.MatchLabels = map[string]string{"app": "web"}
	tests := []struct {
		name     string
		selector *LabelSelector
		labels   map[string]string
		want     bool
	}{
		{"null matches nothing", nil, map[string]string{"app": "web"}, false},
		{"{} matches everything", &LabelSelector{}, nil, true},
		{"a label", &LabelSelector{MatchLabels: map[string]string{"app": "web"}}, map[string]string{"app": "web", "x": "y"}, true},
		{"another value", &LabelSelector{MatchLabels: map[string]string{"app": "web"}}, map[string]string{"app": "db"}, false},
		{"an empty value is no missing label", &LabelSelector{MatchLabels: map[string]string{"app": ""}}, nil, false},
		{"In", expression("tier", "In", "front"), map[string]string{"tier": "front"}, true},
		{"In, missing", expression("tier", "In", "front"), nil, false},
		{"NotIn", expression("tier", "NotIn", "front"), map[string]string{"tier": "back"}, true},
		{"NotIn, missing", expression("tier", "NotIn", "front"), nil, true},
		{"NotIn, there", expression("tier", "NotIn", "front"), map[string]string{"tier": "front"}, false},
		{"Exists", expression("tier", "Exists"), map[string]string{"tier": ""}, true},
		{"Exists, missing", expression("tier", "Exists"), nil, false},
		{"DoesNotExist", expression("tier", "DoesNotExist"), nil, true},
		{"DoesNotExist, there", expression("tier", "DoesNotExist"), map[string]string{"tier": ""}, false},
		{"labels and expressions", both, map[string]string{"app": "web", "tier": "back"}, true},
		{"labels but not the expression", both, map[string]string{"app": "web"}, false},
		{"the expression but not the labels", both, map[string]string{"tier": "back"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.selector.Matches(tt.labels); got != tt.want {
				t.Errorf("%+v matches %v: %t, want %t", tt.selector, tt.labels, got, tt.want)
			}
		})
	}
}
