package api

// Service is v1 Service.
type Service struct {
	ObjectMeta `json:"metadata"`
	Spec       ServiceSpec   `json:"spec,omitzero"`
	Status     ServiceStatus `json:"status"`
}

// ServiceSpec names the pods of a Service, and how their clients reach them.
type ServiceSpec struct {
	Ports                         []ServicePort     `json:"ports,omitempty"`
	Selector                      map[string]string `json:"selector,omitempty"`
	ClusterIP                     string            `json:"clusterIP,omitempty"`
	ClusterIPs                    []string          `json:"clusterIPs,omitempty"`
	Type                          string            `json:"type,omitempty"`
	ExternalIPs                   []string          `json:"externalIPs,omitempty"`
	SessionAffinity               string            `json:"sessionAffinity,omitempty"`
	LoadBalancerIP                string            `json:"loadBalancerIP,omitempty"`
	LoadBalancerSourceRanges      []string          `json:"loadBalancerSourceRanges,omitempty"`
	ExternalName                  string            `json:"externalName,omitempty"`
	ExternalTrafficPolicy         string            `json:"externalTrafficPolicy,omitempty"`
	HealthCheckNodePort           int32             `json:"healthCheckNodePort,omitempty"`
	PublishNotReadyAddresses      bool              `json:"publishNotReadyAddresses,omitempty"`
	SessionAffinityConfig         Fields            `json:"sessionAffinityConfig,omitempty"`
	IPFamilies                    []string          `json:"ipFamilies,omitempty"`
	IPFamilyPolicy                *string           `json:"ipFamilyPolicy,omitempty"`
	AllocateLoadBalancerNodePorts *bool             `json:"allocateLoadBalancerNodePorts,omitempty"`
	LoadBalancerClass             *string           `json:"loadBalancerClass,omitempty"`
	InternalTrafficPolicy         *string           `json:"internalTrafficPolicy,omitempty"`
	TrafficDistribution           *string           `json:"trafficDistribution,omitempty"`
}

// ServicePort is a port of a Service, and the port of the pods behind it, by number or by name.
type ServicePort struct {
	Name        string      `json:"name,omitempty"`
	Protocol    string      `json:"protocol,omitempty"`
	AppProtocol *string     `json:"appProtocol,omitempty"`
	Port        int32       `json:"port"`
	TargetPort  IntOrString `json:"targetPort"`
	NodePort    int32       `json:"nodePort,omitempty"`
}

// ServiceStatus is empty.
//
// Simplified: no controller gives a Service of type LoadBalancer an address.
type ServiceStatus struct {
	LoadBalancer struct{} `json:"loadBalancer"`
}

// Types of Services, and what a field may say.
const (
	ClusterIP      = "ClusterIP"
	NodePort       = "NodePort"
	LoadBalancer   = "LoadBalancer"
	ExternalName   = "ExternalName"
	HeadlessIP     = "None" // the clusterIP of a Service without an address
	PolicyLocal    = "Local"
	PreferClose    = "PreferClose"
	PreferSameZone = "PreferSameZone"
	PreferSameNode = "PreferSameNode"
)

// Headless says whether the Service has no address of its own.
func (s *Service) Headless() bool { return s.Spec.ClusterIP == HeadlessIP || s.Spec.ClusterIP == "" }

// External says whether clients outside the cluster reach the Service.
func (s *ServiceSpec) External() bool {
	return s.Type == NodePort || s.Type == LoadBalancer || s.Type == ClusterIP && len(s.ExternalIPs) > 0
}

// ChecksNodes says whether a load balancer checks the nodes of the Service.
func (s *ServiceSpec) ChecksNodes() bool {
	return s.Type == LoadBalancer && s.ExternalTrafficPolicy == PolicyLocal
}

// Selects says whether the Service is about pods with some labels. A Service without a selector selects none.
func (s *Service) Selects(namespace string, labels map[string]string) bool {
	return s.Namespace == namespace && len(s.Spec.Selector) > 0 && Covers(labels, s.Spec.Selector)
}

// Labels of slices, and the controller that writes them.
const (
	ServiceNameLabel        = "kubernetes.io/service-name"
	SliceManagedByLabel     = "endpointslice.kubernetes.io/managed-by"
	HeadlessLabel           = "service.kubernetes.io/headless"
	EndpointSliceController = "endpointslice-controller.k8s.io"
	ZoneLabel               = "topology.kubernetes.io/zone"
)

// EndpointSlice is discovery.k8s.io/v1 EndpointSlice: endpoints of a Service that have the same ports.
type EndpointSlice struct {
	ObjectMeta  `json:"metadata"`
	AddressType string         `json:"addressType"`
	Endpoints   []Endpoint     `json:"endpoints"`
	Ports       []EndpointPort `json:"ports"`
}

// Endpoint is a pod as a Service sees it.
type Endpoint struct {
	Addresses  []string           `json:"addresses"`
	Conditions EndpointConditions `json:"conditions"`
	Hostname   string             `json:"hostname,omitempty"`
	TargetRef  ObjectReference    `json:"targetRef,omitzero"`
	NodeName   string             `json:"nodeName,omitempty"`
	Zone       string             `json:"zone,omitempty"`
	Hints      *EndpointHints     `json:"hints,omitempty"`
}

// EndpointConditions say how an endpoint may be used (E-1).
type EndpointConditions struct {
	Ready       bool `json:"ready"`
	Serving     bool `json:"serving"`
	Terminating bool `json:"terminating"`
}

// ObjectReference names the pod of an endpoint.
type ObjectReference struct {
	Kind      Kind   `json:"kind,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	UID       string `json:"uid,omitempty"`
}

// EndpointHints name the zones and the nodes whose clients should use an endpoint (E-6).
type EndpointHints struct {
	ForZones []Hint `json:"forZones,omitempty"`
	ForNodes []Hint `json:"forNodes,omitempty"`
}

// Hint is a zone or a node.
type Hint struct {
	Name string `json:"name"`
}

// EndpointPort is a port of all endpoints of a slice.
type EndpointPort struct {
	Name        string  `json:"name"`
	Protocol    string  `json:"protocol"`
	Port        int32   `json:"port"`
	AppProtocol *string `json:"appProtocol,omitempty"`
}
