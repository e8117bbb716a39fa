package upstream

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestNoMetrics compares what an autoscaler is told in a cluster without a metrics server, and in one that knows no pod of its target.
func TestNoMetrics(t *testing.T) {
	list := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetricsList","items":[]}`))
	}
	for name, tt := range map[string]struct {
		server http.HandlerFunc
		load   []autoscaler.Load
	}{
		"no metrics server": {http.NotFound, nil},
		"no pod":            {list, []autoscaler.Load{{Of: api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}, CPU: 100}}},
	} {
		server := httptest.NewServer(tt.server)
		client := metrics.NewRESTMetricsClient(metricsclient.NewForConfigOrDie(&rest.Config{Host: server.URL}), nil, nil)
		_, _, real := client.GetResourceMetric(t.Context(), "cpu", "default", labels.Everything(), "")
		server.Close()
		m := autoscaler.NewMetricsServer(apiserver.New(&sim.Kernel{}, 1), tt.load)
		_, ours := m.PodMetrics("cpu", "default", &api.LabelSelector{})
		if real == nil || ours == nil || ours.Error() != real.Error() {
			t.Errorf("%s: %v, really %v", name, ours, real)
		}
	}
}
