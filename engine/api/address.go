package api

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
)

// Addresses are computed, not allocated, so they cost no memory and are the same in every replay (K-54, E-9).
//
// Simplified: of 1000 pods two have the same address in one run of 30.

// Digest returns a number of bytes that depend only on some texts.
func Digest(size int, texts ...string) []byte {
	var sum []byte
	for i := 0; len(sum) < size; i++ {
		h := fnv.New128a()
		fmt.Fprint(h, i, strings.Join(texts, "\x00"))
		sum = h.Sum(sum)
	}
	return sum[:size]
}

// NodeIP is the internal address of a node.
func NodeIP(name string) string {
	h := fnv.New32a() // names that differ in their last letter never have the same address
	h.Write([]byte(name))
	b := binary.BigEndian.AppendUint32(nil, h.Sum32())
	return fmt.Sprintf("172.%d.%d.%d", 16+b[1]%16, b[2], b[3])
}

// HasIP says whether a pod has an address: since its sandbox is ready, and still when it has ended.
func (p *Pod) HasIP() bool {
	sandbox := FindCondition(p.Status.Conditions, "PodReadyToStartContainers")
	return sandbox != nil && (sandbox.Status == "True" || p.Finished())
}

// IP is the address of a pod, "" before it has a sandbox.
func (p *Pod) IP() string {
	switch {
	case !p.HasIP():
		return ""
	case p.Spec.HostNetwork:
		return NodeIP(p.NodeName)
	}
	b := Digest(3, "address", p.UID)
	return fmt.Sprintf("10.%d.%d.%d", b[0], b[1], 1+b[2]%254)
}

// FirstServiceIP and LastServiceIP are the ends of the range of Services' addresses, 10.96.0.0/12. No Service has them.
const FirstServiceIP, LastServiceIP = "10.96.0.0", "10.111.255.255"

// ServiceIP is the address that a Service takes if nobody has it: its first choice for try 0, its second for 1, and so on.
func ServiceIP(namespace, name string, try int) string {
	h := fnv.New32a()
	fmt.Fprint(h, namespace, "/", name)
	b := h.Sum(nil)
	n := int(b[2])*254 + int(b[3])%254 + try
	return fmt.Sprintf("10.96.%d.%d", n/254%256, 1+n%254)
}

// FirstNodePort is the first of the NodePorts ports that every node has for Services.
const FirstNodePort, NodePorts = 30_000, 2768

// ServiceNodePort is the port of the nodes that a Service takes in the same way.
func ServiceNodePort(namespace, name string, try int) int32 {
	b := Digest(16, "port", namespace, name, "0")
	n := int(b[14])<<8 | int(b[15]) // the front is nearly the same for all short names
	return int32(FirstNodePort + (n+try)%NodePorts)
}
