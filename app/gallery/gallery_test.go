package gallery

import (
	"testing"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/scenarios"
)

func TestEveryScenarioHasATitle(t *testing.T) {
	for _, name := range scenarios.Names() {
		if Title(lang.English, name) == "" || Title(lang.English, name) == name {
			t.Errorf("scenario %s has the title %q", name, Title(lang.English, name))
		}
	}
}
