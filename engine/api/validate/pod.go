package validate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// podSpec checks a pod spec in the order of upstream's ValidatePodSpec.
//
// Simplified: of the fields that the simulation does not read only those are checked that people get wrong: names,
// volumes and their mounts, ports, environment variables, policies, affinity, tolerations, spread constraints. Security contexts and the
// like are kept as they are.
func (es *FieldErrors) podSpec(path string, spec api.Fields) {
	c := containerChecker{es: es, names: map[string]bool{}, grace: spec.Number("terminationGracePeriodSeconds"), pod: path == "spec"}
	if c.pod && c.grace < 0 {
		c.grace = 1
	}
	c.volumes = es.volumes(path+".volumes", spec.Items("volumes"))
	c.regular(path+".containers", spec.Items("containers"))
	c.init(path+".initContainers", spec.Items("initContainers"))
	if onNode, _ := spec["hostNetwork"].(bool); onNode {
		es.portsOfNode(path+".containers", spec.Items("containers"))
	}
	es.oneOf(path+".restartPolicy", spec.Text("restartPolicy"), "Always", "OnFailure", "Never")
	es.oneOf(path+".dnsPolicy", spec.Text("dnsPolicy"), "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
	es.labels(path+".nodeSelector", spec.TextMap("nodeSelector"))
	es.affinity(path+".affinity", spec.Object("affinity"))
	if spec.Text("dnsPolicy") == "None" {
		es.nameservers(path+".dnsConfig", spec.Object("dnsConfig"))
	}
	for i, g := range spec.Items("readinessGates") {
		gate := g.Text("conditionType")
		es.invalids(item(path+".readinessGates", i)+".conditionType", gate, checkKey(gate))
	}
	es.spreadConstraints(path+".topologySpreadConstraints", spec.Items("topologySpreadConstraints"))
	es.nameIn(path, spec, "serviceAccountName", checkSubdomain)
	es.nameIn(path, spec, "nodeName", checkSubdomain)
	if deadline, given := spec["activeDeadlineSeconds"].(int64); given && (deadline < 1 || deadline > math.MaxInt32) {
		es.invalid(path+".activeDeadlineSeconds", deadline, fmt.Sprintf("must be between 1 and %d, inclusive", math.MaxInt32))
	}
	es.nameIn(path, spec, "hostname", checkLabelName)
	es.nameIn(path, spec, "subdomain", checkLabelName)
	es.tolerations(path+".tolerations", spec.Items("tolerations"))
	es.nameIn(path, spec, "priorityClassName", checkSubdomain)
}

// nameIn checks a name, if it is given.
func (es *FieldErrors) nameIn(path string, of api.Fields, field string, check func(string) []string) {
	if name := of.Text(field); name != "" {
		es.invalids(path+"."+field, name, check(name))
	}
}

// nameservers checks that a pod that takes no DNS from the cluster has its own.
func (es *FieldErrors) nameservers(path string, config api.Fields) {
	if config == nil {
		es.required(path, "must provide `dnsConfig` when `dnsPolicy` is None")
		return
	}
	none := len(config.Texts("nameservers")) == 0
	es.when(none).required(path+".nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None")
}

// portsOfNode checks the ports of containers in the network of their node: each is a port of the node as well.
func (es *FieldErrors) portsOfNode(path string, containers []api.Fields) {
	for i, ctr := range containers {
		for j, port := range ctr.Items("ports") {
			n := port.Number("hostPort")
			es.when(n != 0 && n != port.Number("containerPort")).invalid(fmt.Sprintf("%s[%d].ports[%d].hostPort", path, i, j), n,
				"must match `containerPort` when `hostNetwork` is true")
		}
	}
}

// volumeNames are the fields without which a volume's source says nothing.
var volumeNames = []struct{ source, field string }{
	{"hostPath", "path"}, {"secret", "secretName"}, {"nfs", "server"}, {"nfs", "path"},
	{"persistentVolumeClaim", "claimName"}, {"configMap", "name"}, {"csi", "driver"},
}

// volumes returns the names of those that are right: mounts of the others are errors too.
func (es *FieldErrors) volumes(path string, volumes []api.Fields) map[string]bool {
	names := map[string]bool{}
	for i, v := range volumes {
		p := item(path, i)
		before := len(*es)
		es.volumeSource(p, v)
		name := v.Text("name")
		es.needed(p+".name", name, "", checkLabelName)
		es.when(names[name]).duplicate(p+".name", name)
		if len(*es) == before {
			names[name] = true
		}
	}
	return names
}

// volumeSource checks that there is one source, and that it says what it has to.
func (es *FieldErrors) volumeSource(path string, v api.Fields) {
	found := false
	for _, source := range volumeSources {
		s := v.Object(source)
		if s == nil {
			continue
		}
		if found {
			es.forbidden(path+"."+source, "may not specify more than 1 volume type")
			continue
		}
		found = true
		for _, n := range volumeNames {
			es.when(n.source == source && s.Text(n.field) == "").required(path+"."+source+"."+n.field, "")
		}
	}
}

// volumeSources is the order in which the API server looks for them.
var volumeSources = []string{"emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs",
	"iscsi", "glusterfs", "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte", "downwardAPI", "fc",
	"flexVolume", "configMap", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk",
	"storageos", "projected", "scaleIO", "csi", "ephemeral", "image"}

// resourceList checks the requests of a container against its limits. In a pod, a limit is a request as well.
func (c *containerChecker) resourceList(path string, resources api.Fields) {
	es, limits, requests := c.es, quantities(resources, "limits"), quantities(resources, "requests")
	for name, limit := range limits {
		if _, given := requests[name]; c.pod && !given {
			requests[name] = limit
		}
	}
	es.resources(path+".limits", limits, forContainers)
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		es.resource(path+".requests["+name+"]", name, requests[name], forContainers)
		limit, limited := limits[name]
		request := requests[name]
		switch shared := isOvercommitted(name); {
		case !limited && !shared:
			es.required(path+".limits", "Limit must be set for non overcommitable resources")
		case !limited:
		case !shared && request.Cmp(limit) != 0:
			es.invalid(path+".requests", request.String(), fmt.Sprintf("must be equal to %s limit of %s", name, limit))
		case request.Cmp(limit) > 0:
			es.invalid(path+".requests", request.String(),
				fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit))
		}
	}
	huge, other := false, false
	for _, list := range []map[string]api.Quantity{limits, requests} {
		for name := range list {
			huge, other = huge || strings.HasPrefix(name, hugePages), other || name == "cpu" || name == "memory"
		}
	}
	if huge && !other {
		es.forbidden(path, "HugePages require cpu or memory")
	}
}
