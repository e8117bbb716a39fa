// Package traffic says what becomes of the requests to a Service while its pods come and go.
//
// Two parts are exact and judged by upstream's code: which endpoints a node's kube-proxy uses (topology.go answers to
// pkg/proxy/topology.go), and when it writes its rules (runner.go answers to pkg/proxy/runner). The rest is a model, and named so.
package traffic
