package kinds

import (
	_ "embed" // the table
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
)

//go:embed stored.txt
var storedKinds string

func init() {
	for text := range strings.Lines(storedKinds) {
		words := strings.Fields(text)
		if words[0] == "#" {
			continue
		}
		has := func(word string) bool { return slices.Contains(words[4:], word) }
		k := &Kind{Name: api.Kind(words[1]), Plural: words[2], Short: strings.Trim(words[3], "-"), Most: limits.Stored, Generation: Never,
			Inert: true, Acts: has("acts"), Routes: has("routes"), Cluster: has("cluster"),
			New: func() api.Object { return &api.Stored{Kind: api.Kind(words[1])} }}
		if k.Group, k.Version, _ = strings.Cut(words[0], "/"); k.Version == "" {
			k.Group, k.Version = "", k.Group
		}
		if has("counts") {
			k.Generation = 0
		}
		if has("replicas") {
			k.Zeros = []string{"replicas"}
		}
		for _, word := range words[4:] {
			if rank, in := strings.CutPrefix(word, "all="); in {
				k.InAll, _ = strconv.Atoi(rank)
			}
		}
		Add(k)
	}
}
