// Package api holds the Kubernetes objects that the engine simulates, as plain Go values with the real field names:
// copies, equality, hashes, quantities and selectors. Package decode reads them from manifests, with their defaults;
// package validate checks them.
//
// The types are our own because k8s.io/api doubles the download. An object in a store or a cache never changes: change a
// Copy. Versions of an object share their maps and lists; code that changes one copies it first (SetAnnotation does).
//
// A pod spec is canonical as soon as it is read: defaulted, sorted and kept as text, with a typed view of what the simulation
// reads. Equality compares pointers first, then texts. The pod-template hash covers that text, and a test pins its value, because
// a link must always show the same names. What differs between the pods of one template is stored next to the spec that they
// share (Pod): the node, the hostname of a StatefulSet's pod, the node that a DaemonSet chose. Upstream writes the latter into an
// affinity; a separate spec for each pod would cost a thousand parses.
//
// Times have whole seconds, as in the API server, and Time can't express anything finer. The consequences (ties of creation time,
// availability that comes a fraction of a second early, delays that round) are upstream's.
package api
