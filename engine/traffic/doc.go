// Package traffic says what becomes of the requests to a Service while its pods come and go.
//
// Two parts are exact and judged by upstream's code: which endpoints a node's kube-proxy uses (topology.go answers to
// pkg/proxy/topology.go), and when it writes its rules (runner.go answers to pkg/proxy/runner). The rest (model.go) is a model, and named so: the
// client, the time that a change takes to reach what sends the requests, and what the app does on SIGTERM. It is computed from the trace,
// in intervals in which nothing changes, so it costs no more for a million requests than for ten.
package traffic
