package forecast_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/forecast"
)

// TestTexts: values as people read them, at the edges of their units.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		unit  forecast.Unit
		value int64
		want  string
	}{
		{forecast.Pods, 12, "12"},
		{forecast.Millis, 5349, "5.3s"},
		{forecast.Percent, 80, "80%"},
		{forecast.MilliCPU, 0, "-"},
		{forecast.MilliCPU, 500, "500m"},
		{forecast.Bytes, 0, "-"},
		{forecast.Bytes, 1023, "1023"},
		{forecast.Bytes, 1024, "1Ki"},
		{forecast.Bytes, 1536 << 20, "1.5Gi"},
		{forecast.Bytes, 3 << 60, "3072Pi"},
		{forecast.PodMillis, 30_260, "30.3"},
		{forecast.NodeMillis, 2 * 1_800_000, "1.0000"},
		{forecast.Count, 12_000, "12,000"},
	} {
		if got := c.unit.Text(c.value); got != c.want {
			t.Errorf("%d of unit %d is written %q, want %q", c.value, c.unit, got, c.want)
		}
	}
	none, some := forecast.Figures{}, forecast.Figures{Lowest: 6, LowestOf: 8}
	if none.LowestText() != "-" || some.LowestText() != "6 of 8 (75%)" {
		t.Errorf("the lowest are %q and %q", none.LowestText(), some.LowestText())
	}
	unknown, few := forecast.Requests{}, forecast.Requests{All: 12_000, Failed: 120}
	if unknown.Text() != "-" || few.Text() != "120 of 12,000" {
		t.Errorf("the requests are %q and %q", unknown.Text(), few.Text())
	}
	if m := forecast.MeasureOf("peakPods"); m == nil || m.Heading != "PEAK PODS" || forecast.MeasureOf("peak") != nil {
		t.Errorf("the measure is %+v", m)
	}
}
