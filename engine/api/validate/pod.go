package validate

import (
	"fmt"
	"maps"
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
	c := containerChecker{es: es, names: map[string]bool{}, grace: spec.Number("terminationGracePeriodSeconds")}
	c.volumes = es.volumes(path+".volumes", spec.Items("volumes"))
	c.regular(path+".containers", spec.Items("containers"))
	c.init(path+".initContainers", spec.Items("initContainers"))
	es.oneOf(path+".restartPolicy", spec.Text("restartPolicy"), "Always", "OnFailure", "Never")
	es.oneOf(path+".dnsPolicy", spec.Text("dnsPolicy"), "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
	es.labels(path+".nodeSelector", spec.TextMap("nodeSelector"))
	es.affinity(path+".affinity", spec.Object("affinity"))
	for _, f := range []struct {
		name  string
		check func(string) []string
	}{{"serviceAccountName", checkSubdomain}, {"nodeName", checkSubdomain}, {"hostname", checkLabelName}, {"subdomain", checkLabelName}} {
		if s := spec.Text(f.name); s != "" {
			es.invalids(path+"."+f.name, s, f.check(s))
		}
	}
	es.tolerations(path+".tolerations", spec.Items("tolerations"))
	es.spreadConstraints(path+".topologySpreadConstraints", spec.Items("topologySpreadConstraints"))
	for i, g := range spec.Items("readinessGates") {
		gate := g.Text("conditionType")
		es.invalids(item(path+".readinessGates", i)+".conditionType", gate, checkKey(gate))
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

// resourceList checks the requests of a container against its limits.
func (es *FieldErrors) resourceList(path string, resources api.Fields) {
	limits, requests := quantities(resources, "limits"), quantities(resources, "requests")
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
