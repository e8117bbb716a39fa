package measured

import "github.com/rollplay/rollplay/engine/scenario"

// in is a text in both languages.
func in(en, zh string) scenario.Text { return scenario.Text{En: en, Zh: zh} }

// The applications differ in when they listen after their start, which only some sources say.
const quickly, slowly = "200ms..1s, ready: 0s..300ms", "1s..2s, ready: 0s..1s"

// one is the default of two replicas: a new pod before an old one goes.
const one = "{maxSurge: 1, maxUnavailable: 0}"

// shutdownDemo, alikhil … are the sources with several settings.
const (
	shutdownDemo = "lilzeeOp/k8s-graceful-shutdown-demo, REPORT.md"
	shutdownURL  = "https://github.com/lilzeeOp/k8s-graceful-shutdown-demo"
	hugoBlog     = "alikhil.dev, Graceful shutdown"
	hugoURL      = "https://github.com/alikhil/hugo-blog"
	dingyu       = "dingyu.dev, k8s-zero-downtime"
	dingyuURL    = "https://dingyu.dev"
	albIssue     = "aws-load-balancer-controller, issue 2106"
	albURL       = "https://github.com/kubernetes-sigs/aws-load-balancer-controller/issues/2106"
)

var (
	notReplicas = in("The number of replicas and how long the app starts: 3 replicas, 1–2 s.", "副本数与应用启动时间：取 3 个副本、1–2 秒。")
	notServer   = in("The replicas, what sends the requests, and what the app does on SIGTERM: 3, a proxy that tries another pod, and it ends.",
		"副本数、由谁发送请求、应用收到 SIGTERM 后的行为：取 3 个副本、会重试其他 Pod 的代理、立即退出。")
	noNodes = in("The numbers of requests and replicas: 100/s and 3. Behind the load balancer a node's kube-proxy sends to the pods, and each request has a connection of its own.",
		"请求数与副本数：取 100/秒与 3。负载均衡器之后由节点的 kube-proxy 发往 Pod，每个请求各用一个连接。")
	noCloud = in("The numbers of requests, replicas and nodes: 100/s, 3 and 3.",
		"请求数、副本数与节点数：取 100/秒、3 与 3。")
)

// All are the published measurements.
var All = []Measurement{
	{Source: shutdownDemo, URL: shutdownURL, Failed: 25, All: 3015, requestsFrom: 10_000, requestsTo: 70_000,
		Did: in("2 replicas end on SIGTERM at once, without a readiness probe; 15 users for 60 s, a restart at 10 s.",
			"2 个副本收到 SIGTERM 即退出，没有就绪探针；15 个用户持续 60 秒，第 10 秒重启。"),
		Workload: setup{replicas: 2, nodes: 1, strategy: one, grace: 30, start: quickly, traffic: "users: 15, pause: 100ms, takes: 170ms", updates: 1, at: 20}},
	{Source: shutdownDemo, URL: shutdownURL, Failed: 0, All: 3340, requestsFrom: 10_000, requestsTo: 70_000,
		Did: in("The same with preStop 5 s, an app that drains for 15 s, and a readiness probe every 5 s.",
			"同上，加上 preStop 5 秒、应用排空 15 秒、每 5 秒一次就绪探针。"),
		Workload: setup{replicas: 2, nodes: 1, strategy: one, grace: 30, preStop: 5, probe: "initialDelaySeconds: 2, periodSeconds: 5", start: quickly, stop: "200ms..300ms",
			traffic: "users: 15, pause: 100ms, takes: 170ms, onTerm: drain, drain: 15s", updates: 1, at: 20}},
	{Source: hugoBlog, URL: hugoURL, Failed: 14, All: 695, requestsFrom: 20_000, requestsTo: 80_000, Open: notReplicas,
		Did:      in("Requests of 4 s, 11.5 a second; the app ends on SIGTERM.", "每个请求 4 秒，每秒 11.5 个；应用收到 SIGTERM 即退出。"),
		Workload: setup{replicas: 3, nodes: 1, strategy: one, grace: 30, probe: "periodSeconds: 3", start: slowly, traffic: "rate: 12, takes: 4s", updates: 1, at: 40}},
	{Source: hugoBlog, URL: hugoURL, Failed: 0, All: 750, requestsFrom: 20_000, requestsTo: 80_000, Open: notReplicas,
		Did: in("The same with a wait of 5 s before it drains.", "同上，但先等待 5 秒再排空。"),
		Workload: setup{replicas: 3, nodes: 1, strategy: one, grace: 30, preStop: 5, probe: "periodSeconds: 3", start: slowly, stop: "4s..5s",
			traffic: "rate: 12, takes: 4s, onTerm: drain, drain: 25s", updates: 1, at: 40}},
	{Source: dingyu, URL: dingyuURL, Failed: 12, All: 753060, requestsFrom: 70_000, requestsTo: 250_000, Open: notServer,
		Did: in("200 connections for 3 min, readiness probe 30 s after the start and every 30 s, no preStop.", "200 个连接持续 3 分钟，启动 30 秒后每 30 秒探测就绪，无 preStop。"),
		Workload: setup{replicas: 3, nodes: 1, strategy: one, grace: 30, probe: "initialDelaySeconds: 30, periodSeconds: 30", start: slowly,
			traffic: "rate: 4184, takes: 48ms, via: ingress-nginx", updates: 1, at: 80}},
	{Source: dingyu, URL: dingyuURL, Failed: 3, All: 751239, requestsFrom: 70_000, requestsTo: 250_000, Open: notServer,
		Did: in("The same with preStop 40 s, in a grace period of 30 s.", "同上，preStop 40 秒，宽限期 30 秒。"),
		Workload: setup{replicas: 3, nodes: 1, strategy: one, grace: 30, preStop: 40, probe: "initialDelaySeconds: 30, periodSeconds: 30", start: slowly,
			traffic: "rate: 4184, takes: 48ms, via: ingress-nginx", updates: 1, at: 80}},
	{Source: dingyu, URL: dingyuURL, Failed: 0, All: 770240, requestsFrom: 70_000, requestsTo: 250_000, Open: notServer,
		Did: in("The same with a grace period of 50 s.", "同上，宽限期 50 秒。"),
		Workload: setup{replicas: 3, nodes: 1, strategy: one, grace: 50, preStop: 40, probe: "initialDelaySeconds: 30, periodSeconds: 30", start: slowly,
			traffic: "rate: 4184, takes: 48ms, via: ingress-nginx", updates: 1, at: 80}},
	{Source: albIssue, URL: albURL, requestsFrom: 20_000, requestsTo: 240_000, Open: noNodes, Found: in("some 502", "少量 502"),
		Did:      in("An ALB with instance targets, no preStop.", "ALB，实例目标，无 preStop。"),
		Workload: setup{replicas: 3, nodes: 3, strategy: one, grace: 30, probe: "periodSeconds: 10", start: slowly, traffic: "rate: 100, via: kube-proxy", updates: 1, at: 40}},
	{Source: albIssue, URL: albURL, requestsFrom: 20_000, requestsTo: 240_000, Open: noNodes, Found: in("very rare", "极少"),
		Did: in("The same with preStop 40 s and a grace period of 70 s.", "同上，preStop 40 秒，宽限期 70 秒。"),
		Workload: setup{replicas: 3, nodes: 3, strategy: one, grace: 70, preStop: 40, probe: "periodSeconds: 10", start: slowly,
			traffic: "rate: 100, via: kube-proxy", updates: 1, at: 40}},
	{Source: albIssue, URL: albURL, requestsFrom: 20_000, requestsTo: 330_000, Open: noNodes, Found: in("none", "无"),
		Did: in("The same with preStop 70 s and a grace period of 100 s.", "同上，preStop 70 秒，宽限期 100 秒。"),
		Workload: setup{replicas: 3, nodes: 3, strategy: one, grace: 100, preStop: 70, probe: "periodSeconds: 10", start: slowly,
			traffic: "rate: 100, via: kube-proxy", updates: 1, at: 40}},
	{Source: "aws-load-balancer-controller, issue 2366", URL: "https://github.com/kubernetes-sigs/aws-load-balancer-controller/issues/2366",
		requestsFrom: 20_000, requestsTo: 500_000, Open: noCloud, Found: in("none", "无"),
		Did: in("An NLB with IP targets, which takes a target out after 2 min or more; preStop 120 s.", "NLB，IP 目标，至少 2 分钟后才移除目标；preStop 120 秒。"),
		Workload: setup{replicas: 3, nodes: 3, strategy: one, grace: 150, preStop: 120, probe: "periodSeconds: 10", start: slowly,
			traffic: "rate: 100, via: aws-nlb", updates: 1, at: 40}},
	{Source: "kubernetes v1.37.1, test/e2e/network/loadbalancer.go:1295", URL: "https://github.com/kubernetes/kubernetes/blob/v1.37.1/test/e2e/network/loadbalancer.go#L1295",
		Failed: 5, All: 100, AtLeast: true, requestsFrom: 20_000, requestsTo: 1_100_000,
		Did: in("A DaemonSet on 3 nodes, maxUnavailable 10 %; the app goes on for 60 s, its grace period; 100 requests a second, 5 updates. At least 95 % must be answered.",
			"3 个节点上的 DaemonSet，maxUnavailable 10 %；应用在 60 秒宽限期内继续服务；每秒 100 个请求，更新 5 次。至少 95 % 得到回应。"),
		Workload: setup{daemonSet: true, nodes: 3, strategy: "{maxUnavailable: 10%}", grace: 60, probe: "periodSeconds: 1", start: quickly, stop: "60s",
			traffic: "rate: 100, takes: 50ms, via: load-balancer, onTerm: ignore", updates: 5, at: 40, every: 210}},
	{Source: "somaz.blog, EKS", URL: "https://somaz.blog", Failed: 708, All: 1050, requestsFrom: 100_000, requestsTo: 170_000,
		Open: in("The number of requests: 708 in 48 s are about 15 a second; 1 replica.", "请求数：48 秒内 708 个约为每秒 15 个；取 1 个副本。"),
		Did: in("A pod is ready after 12 s, the ALB calls it healthy after 60 s (2 checks 30 s apart): 48 s without a target.",
			"Pod 12 秒后就绪，ALB 60 秒后才判定健康（2 次检查，间隔 30 秒）：48 秒没有目标。"),
		Workload: setup{replicas: 1, nodes: 1, strategy: one, grace: 30, probe: "initialDelaySeconds: 11, periodSeconds: 1", start: quickly,
			traffic: "rate: 15, takes: 50ms, via: aws-alb, healthChecks: 48s", updates: 1, at: 100}},
	{Source: "ingress-nginx, issues 3335 and 3639", URL: "https://github.com/kubernetes/ingress-nginx/issues/3335",
		requestsFrom: 20_000, requestsTo: 100_000, Found: in("none", "无"),
		Open: in("The numbers: 100 requests a second, 3 replicas.", "数量：每秒 100 个请求、3 个副本。"),
		Did:  in("An app that ends on SIGTERM behind ingress-nginx, which tries a refused request at 3 pods.", "应用收到 SIGTERM 即退出，位于 ingress-nginx 之后；被拒绝的请求会尝试 3 个 Pod。"),
		Workload: setup{replicas: 3, nodes: 1, strategy: one, grace: 30, probe: "periodSeconds: 3", start: slowly,
			traffic: "rate: 100, takes: 1ms, via: ingress-nginx", updates: 1, at: 40}},
}
