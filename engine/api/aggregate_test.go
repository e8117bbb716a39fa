package api_test

import (
	"errors"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestAggregate joins errors; an inner list is no list of its own, and what was said is not said again.
func TestAggregate(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	for _, c := range []struct {
		errs []error
		want string
	}{
		{[]error{a}, "a"},
		{[]error{a, b}, "[a, b]"},
		{[]error{a, errors.New("a")}, "a"},
		{[]error{a, api.Aggregate([]error{b, a})}, "[a, b]"},
	} {
		err := api.Aggregate(c.errs)
		if err.Error() != c.want || !errors.Is(err, a) {
			t.Errorf("%v: got %q, want %q", c.errs, err, c.want)
		}
	}
	if err := api.Aggregate(nil); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}
