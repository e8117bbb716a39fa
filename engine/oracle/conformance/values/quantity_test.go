package values

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/draw"
)

var quantityGrammar = draw.Grammar{
	"quantity": {"«sign»«number»«suffix»", "«sign»«number»«suffix»", "«number»«suffix»", "«number»«suffix»«suffix»", "«suffix»", "«number» «suffix»", "«sign»«sign»«number»"},
	"sign":     {"", "", "", "-", "+"},
	"number":   {"«digits»", "«digits»", "«digits».«digits»", "«digits».«digits»", ".«digits»", "«digits».", ".", "«digits».«digits».«digits»", "0.«zeros»«digits»"},
	"digits":   {"«digit»", "«digit»«digits»", "«digit»«digits»", "«digit»«zeros»", "1024", "1000", "9223372036854775807", "18014398509481984"},
	"zeros":    {"0", "00", "000", "0000000", "00000000000"},
	"digit":    {"0", "1", "2", "3", "5", "8", "9"},
	"suffix":   {"", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e«sign»«digit»", "E«sign»«digit»", "e«sign»1«digit»", "K", "ki", "mi", "e", "i", "g", "kk", "Ki1", "m3", "x"},
}

// texts draws 100,000 texts.
func texts(g draw.Grammar, seed uint64, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		r := rand.New(rand.NewPCG(seed, 26))
		for range 100_000 {
			if !yield(g.Text(r, name)) {
				return
			}
		}
	}
}

// fine is an amount of which ours leaves digits out.
var fine = regexp.MustCompile(`\.\d{19,}[KMGTPE]i$`)

// TestQuantities compares random amounts, up to 2^62 units, as a list of resources has them: rounded up to thousandths.
func TestQuantities(t *testing.T) {
	for text := range texts(quantityGrammar, 2, "quantity") {
		ours, ourErr := api.ParseQuantity(text)
		real, realErr := resource.ParseQuantity(text)
		if realErr != nil || ourErr != nil {
			if fmt.Sprint(realErr) != fmt.Sprint(ourErr) {
				t.Errorf("%q\n real %v\n ours %v", text, realErr, ourErr)
			}
			continue
		}
		real.RoundUp(resource.Milli)
		size := real.AsApproximateFloat64()
		if math.Abs(size) >= 1<<62 || fine.MatchString(text) {
			continue
		}
		if real.String() != ours.String() {
			t.Errorf("%q is printed\n real %s\n ours %s", text, real.String(), ours)
		}
		if size >= 0 && real.Value() != ours.Value() || size >= 0 && size < 1<<52 && real.MilliValue() != ours.Milli() {
			t.Errorf("%q is\n real %d, %dm\n ours %d, %dm", text, real.Value(), real.MilliValue(), ours.Value(), ours.Milli())
		}
	}
}
