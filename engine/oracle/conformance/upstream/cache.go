package upstream

import (
	"sort"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"

	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// indexer is client-go's own cache, except that it lists in the order of creation: client-go lists in the random order of a
// map, and nothing that is compared may depend on that.
type indexer struct {
	cache.Indexer
	order   map[string]int // key -> position
	next    int
	version int64               // resourceVersion of the last delivered change
	alias   func(string) string // the stored name of a requested one
}

func newIndexer() *indexer {
	return &indexer{
		Indexer: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}),
		order:   map[string]int{},
	}
}

// put adds an object, or replaces the one of its name.
func (i *indexer) put(o convert.Object) {
	if key := keyOf(o); i.order[key] == 0 {
		i.next++
		i.order[key] = i.next
	}
	must(i.Add(o))
}

func (i *indexer) remove(o convert.Object) {
	delete(i.order, keyOf(o))
	must(i.Delete(o))
}

// List returns all objects by creation.
func (i *indexer) List() []any { return i.sorted(i.Indexer.List()) }

// Index returns the objects that share an indexed value with another one, by creation.
func (i *indexer) Index(name string, o any) ([]any, error) {
	list, err := i.Indexer.Index(name, o)
	return i.sorted(list), err
}

// ByIndex returns the objects with an indexed value, by creation.
func (i *indexer) ByIndex(name, value string) ([]any, error) {
	list, err := i.Indexer.ByIndex(name, value)
	return i.sorted(list), err
}

// GetByKey returns an object by its key.
func (i *indexer) GetByKey(key string) (item any, exists bool, err error) {
	if i.alias != nil {
		key = i.alias(key)
	}
	return i.Indexer.GetByKey(key)
}

// LastStoreSyncResourceVersion tells the controllers how recent the cache is.
func (i *indexer) LastStoreSyncResourceVersion() string { return strconv.FormatInt(i.version, 10) }

func (i *indexer) sorted(list []any) []any {
	sort.Slice(list, func(a, b int) bool {
		if _, node := list[a].(*corev1.Node); node {
			return keyOf(list[a]) < keyOf(list[b])
		}
		return i.order[keyOf(list[a])] < i.order[keyOf(list[b])]
	})
	return list
}

func keyOf(o any) string {
	m, err := meta.Accessor(o)
	must(err)
	return m.GetNamespace() + "/" + m.GetName()
}
