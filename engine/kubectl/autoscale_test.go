package kubectl

import "testing"

// TestAutoscaleOutput: an unknown form of output is noticed when the autoscaler is there, and kubectl then tries autoscaling/v1.
func TestAutoscaleOutput(t *testing.T) {
	const (
		noV1      = "error: failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: empty input"
		noPrinter = `error: unable to match a printer suitable for the output format "foo", allowed formats are: ` + outputs
	)
	for _, tt := range []struct{ line, want, then string }{
		{"autoscale deploy/web --max=3 -o foo", noV1, "horizontalpodautoscaler.autoscaling/web"},
		{"autoscale deploy/web --max=3 --cpu=70% -o foo", `Error from server (AlreadyExists): horizontalpodautoscalers.autoscaling "web" already exists`,
			"horizontalpodautoscaler.autoscaling/web"},
		{"autoscale deploy/web --max=3 --cpu=70% -o foo --dry-run=server", noPrinter, ""},
		{"autoscale deploy/web --max=3 --cpu=70% -o foo --dry-run=client", noPrinter, ""},
		{"autoscale deploy/gone --max=3 -o foo", `Error from server (NotFound): deployments.apps "gone" not found`, ""},
	} {
		w := newWorld(t)
		if a := w.answer(tt.line); a.Output != tt.want || !a.Failed {
			t.Errorf("%s: %+v, want %s", tt.line, a, tt.want)
		}
		if a := w.answer("label hpa --all a=b -o name"); a.Output != tt.then {
			t.Errorf("%s: then there is %q, want %q", tt.line, a.Output, tt.then)
		}
	}
}
