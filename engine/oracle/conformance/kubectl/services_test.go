package kubectl

import (
	"math/rand/v2"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
)

// TestServices compares lines about Services alone, which are one in twenty elsewhere: what they get from the server's ranges of addresses and ports,
// how they change their type, and what is refused.
func TestServices(t *testing.T) {
	c, err := NewCluster(rich+services, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	g := generate.Random{Rand: rand.New(rand.NewPCG(41, 0))}
	lines := append(Lines(g, c, "{service}", 150), takesPorts...)
	list, err := Compare(c, lines)
	if err != nil {
		t.Fatal(err)
	}
	tally := new(Tally)
	tally.Add(list)
	for _, v := range list {
		if v.Different() {
			t.Error(v)
		}
	}
	if tally.Equal < 120 {
		t.Errorf("only %d of %d lines are equal without a choice", tally.Equal, tally.Compared)
	}
}

// takesPorts are lines whose Services meet others in the ranges.
var takesPorts = []string{
	"expose pod alone --name=a --port=80 --type=NodePort -o yaml",
	"expose pod alone --name=a --port=80,81,82 --type=NodePort -o yaml",
	"expose pod alone --name=a --port=80 --type=LoadBalancer --dry-run=server -o yaml",
	"expose pod alone --name=a --port=80 --cluster-ip=10.96.0.10 -o yaml",
	"expose pod alone --name=a --port=80 --cluster-ip=10.96.0.0",
	"expose pod alone --name=a --port=80 --cluster-ip=10.95.255.255",
	"expose pod alone --name=a --port=80 --cluster-ip=10.112.0.0 --dry-run=server",
	"expose pod alone --name=a --port=80 --cluster-ip=fd00::1",
	"expose pod alone --name=a --port=80 --cluster-ip=x",
	"expose pod alone --name=a --port=80 --cluster-ip=010.96.0.010",
	"expose pod alone --name=a --port=80 --type=NodePort --dry-run=server -o yaml",
	`patch svc web -p '{"spec":{"clusterIP":"10.96.0.10","clusterIPs":["10.96.0.10"]}}'`,
	`patch svc web -p '{"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":31267}]}}'`, // the port for checks of public
	`patch svc web -p '{"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":30080}]}}'`,
	`patch svc web -p '{"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":32767}]}}' -o yaml`,
	`patch svc web -p '{"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":32768}]}}'`,
	`patch svc web -p '{"spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local"}}' -o yaml`,
	`patch svc web -p '{"spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30080}}'`,
	`patch svc public -p '{"spec":{"externalTrafficPolicy":"Cluster"}}' -o yaml`,
	`patch svc public -p '{"spec":{"healthCheckNodePort":31000}}'`,
	`patch svc public --type=json -p '[{"op":"remove","path":"/spec/healthCheckNodePort"}]'`,
	`patch svc public -p '{"kind":"Foo"}' --dry-run=client`,
	`patch svc public -p '{"kind":"Foo","apiVersion":"example.com/v1"}' --dry-run=client -o name`,
	`patch svc public -p '{"spec":{"allocateLoadBalancerNodePorts":false,"ports":[{"port":1,"name":"a"},{"port":443,"name":"b"}]}}' -o yaml`,
	`patch svc elsewhere -p '{"spec":{"type":"ClusterIP","externalName":null,"ports":[{"port":80}]}}' -o yaml`,
	`patch svc web -p '{"spec":{"type":"ExternalName","externalName":"a.example.com"}}' -o yaml`,
	`patch svc shop --type=json -p '[{"op":"add","path":"/spec/ports/-","value":{"port":54,"name":"x"}}]' -o yaml`,
	`patch svc shop --type=json -p '[{"op":"add","path":"/spec/ports/-","value":{"port":54,"name":"x","nodePort":30080}}]' -o yaml`,
	`patch svc shop --type=json -p '[{"op":"add","path":"/spec/ports/-","value":{"port":54,"name":"x","protocol":"UDP","nodePort":30080}}]' -o yaml`,
	`patch svc shop --type=merge -p '{"spec":{"ports":[{"name":"dns","port":54},{"name":"http","port":81},{"name":"new","port":82}]}}' -o yaml`,
	`patch svc bare -p '{"spec":{"ipFamilyPolicy":"SingleStack"}}' -o yaml`,
	`patch svc bare -p '{"spec":{"selector":{"a":"b"}}}' -o yaml`,
	"label endpointslices --all a=b -o yaml",
	`create -f - -o yaml <<EOF
apiVersion: v1
kind: Service
metadata: {name: bare-too}
spec: {clusterIP: None}
EOF`,
	`create -f - -o yaml <<EOF
apiVersion: v1
kind: Service
metadata: {name: dns}
spec: {type: NodePort, ports: [{port: 53, name: a, protocol: UDP}, {port: 53, name: b}, {port: 54, name: c}]}
EOF`,
	`create -f - -o yaml <<EOF
apiVersion: v1
kind: Service
metadata: {name: dns}
spec: {type: NodePort, ports: [{port: 53, name: a, protocol: UDP}, {port: 53, name: b, nodePort: 30053}, {port: 53, name: c, protocol: SCTP, nodePort: 30054}]}
EOF`,
	`create -f - -o yaml <<EOF
apiVersion: v1
kind: Service
metadata: {name: dns}
spec: {type: NodePort, ports: [{port: 53, name: a, nodePort: 30053}, {port: 54, name: b, nodePort: 30053}]}
EOF`,
}
