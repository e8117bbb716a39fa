package app

import "testing"

// TestNamesAreInTheCatalogue: of tabs, units of a step and themes, whose keys are put together.
func TestNamesAreInTheCatalogue(t *testing.T) {
	for _, name := range tabNames {
		if _, ok := messages[tabLabels[name]]; !ok {
			t.Errorf("tab %s has no name", name)
		}
	}
	for _, unit := range stepUnits {
		if key := message("unit-" + unit); messages[key].En == "" {
			t.Errorf("there is no message %s", key)
		}
	}
	for _, theme := range themes {
		if key := message("theme-" + theme); messages[key].En == "" {
			t.Errorf("there is no message %s", key)
		}
	}
}
