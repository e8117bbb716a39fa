package convert

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
)

// TestAutoscalingV1: an autoscaler of autoscaling/v1 is stored as the real API server stores it.
func TestAutoscalingV1(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 200 {
		text := autoscalerV1(rng)
		want := spec(t, storedV2(t, text))
		o, issues := decode.JSON("HorizontalPodAutoscaler", []byte(text))
		if len(issues) > 0 {
			t.Fatalf("%s: %v", text, issues)
		}
		if got := spec(t, api.JSON(o)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%v, really\n%v", text, got, want)
		}
	}
}

// autoscalerV1 draws an autoscaler, which may lack each field that has a default.
func autoscalerV1(rng *rand.Rand) string {
	fields := []string{`"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}`, fmt.Sprintf(`"maxReplicas":%d`, 5+rng.IntN(9))}
	if rng.IntN(2) == 0 {
		fields = append(fields, fmt.Sprintf(`"minReplicas":%d`, 1+rng.IntN(5)))
	}
	switch rng.IntN(3) {
	case 0:
		fields = append(fields, fmt.Sprintf(`"targetCPUUtilizationPercentage":%d`, 1+rng.IntN(99)))
	case 1:
		fields = append(fields, `"targetCPUUtilizationPercentage":null`)
	}
	return `{"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{` + strings.Join(fields, ",") + `}}`
}

// storedV2 reads an object as the API server does: with the defaults of its version, and again with those of the stored one.
func storedV2(t *testing.T, text string) []byte {
	o, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	internal, err := legacyscheme.Scheme.ConvertToVersion(o, runtime.InternalGroupVersioner)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := legacyscheme.Scheme.ConvertToVersion(internal, autoscalingv2.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	legacyscheme.Scheme.Default(stored)
	b, err := json.Marshal(stored)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func spec(t *testing.T, object []byte) any {
	var o map[string]any
	if err := json.Unmarshal(object, &o); err != nil {
		t.Fatal(err)
	}
	return o["spec"]
}
