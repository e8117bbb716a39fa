package compare

import (
	"os"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

func TestMain(m *testing.M) {
	upstream.Quiet()
	os.Exit(m.Run())
}
