// Package traffic says what becomes of the requests to a Service while its pods come and go.
//
// Two parts are exact and judged by upstream's code: which endpoints a node's kube-proxy uses (topology.go answers to
// pkg/proxy/topology.go), and when it writes its rules (runner.go answers to pkg/proxy/runner). The rest is a model, and named so: the
// client, the time that a change takes to reach what sends the requests, and what the app does on SIGTERM. Outcome.go has the outcomes with
// their causes, routes.go which Services an Ingress or an HTTPRoute leads to, rules.go what the proxies know, steps.go what the pods answer,
// crowd.go which requests wait for a pod with room, users.go who keeps a connection; lanes.go and model.go bring them together, and verdict.go words it.
//
// A report is computed from the trace, in intervals in which nothing changes: a pod that answers otherwise, or a proxy's new rules, begin
// the next one. So it costs no more for a million requests than for ten, and a moment costs what changes in it. Each request that is not
// served has one cause and, unless nothing could be sent to, one pod.
package traffic
