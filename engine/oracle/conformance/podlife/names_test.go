package podlife

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/kubernetes/pkg/util/parsers"

	"github.com/rollplay/rollplay/engine/api"
)

// parts are what the names of images in TestNames are put together from.
var parts = strings.Fields("a web Web a.b a..b a__b a___b a--b -a a- _ A0 localhost docker.io index.docker.io library Host:80 host.x:5000 h:x [::1]:80 / / / // : : @ @ " +
	"1.2 latest v1_x sha256: SHA256: sha512: x+y: x.y-z: _z: 0123456789abcdef0123456789abcdef 0123456789ABCDEF0123456789ABCDEF ko:// ö")

// TestNames: the kubelet's own parser reads the same names of images, and refuses the others with the same words.
func TestNames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	long := strings.Repeat("a/", 127)
	names := []string{"", " ", "a@", "a:", long + "a", long + "ab", "x.y/" + long + "a", "x.y/" + long + "ab", strings.Repeat("0a", 32), strings.Repeat("a", 65),
		"a@sha256:" + strings.Repeat("0a", 32), "a:1@sha256:" + strings.Repeat("0A", 32), "a@sha256:" + strings.Repeat("0", 63), "a:" + strings.Repeat("x", 129)}
	for range 200_000 {
		var name strings.Builder
		for range 1 + r.IntN(6) {
			name.WriteString(parts[r.IntN(len(parts))])
		}
		names = append(names, name.String())
	}
	valid := 0
	for _, name := range names {
		_, _, _, want := parsers.ParseImageName(name)
		got := api.CheckImage(name)
		if got != nil {
			got = fmt.Errorf("couldn't parse image name %q: %v", name, got)
		} else {
			valid++
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
	if valid < 1000 {
		t.Errorf("only %d of the names are valid", valid)
	}
}
