package api

import (
	"fmt"
	"strconv"
)

// ValidatePod returns what the API server refuses about a pod that is created without a controller.
func ValidatePod(p *Pod) FieldErrors {
	var es FieldErrors
	es.validateMeta(&p.ObjectMeta, true)
	es.validateDeletionCost("metadata.annotations", p.Annotations)
	es.validatePodSpec("spec", p.Spec.tree())
	return es
}

// validatePodSpec checks a pod spec in the order of upstream's ValidatePodSpec.
//
// Simplified: of the fields that the simulation does not read only those are checked that people get wrong: names,
// volumes and their mounts, ports, environment variables, policies, affinity, tolerations. Security contexts and the
// like are kept as they are.
func (es *FieldErrors) validatePodSpec(path string, spec map[string]any) {
	volumes := es.validateVolumes(path+".volumes", items(spec, "volumes"))
	containers := items(spec, "containers")
	grace := number64(spec, "terminationGracePeriodSeconds")
	c := containerChecker{es: es, volumes: volumes, names: map[string]bool{}, grace: grace}
	c.regular(path+".containers", containers)
	c.init(path+".initContainers", items(spec, "initContainers"))
	es.oneOf(path+".restartPolicy", text(spec, "restartPolicy"), "Always", "OnFailure", "Never")
	es.oneOf(path+".dnsPolicy", text(spec, "dnsPolicy"), "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
	es.validateLabels(path+".nodeSelector", stringMap(spec, "nodeSelector"))
	if affinity, ok := spec["affinity"].(map[string]any); ok {
		es.validateAffinity(path+".affinity", affinity)
	}
	if s := text(spec, "serviceAccountName"); s != "" {
		es.invalids(path+".serviceAccountName", s, checkSubdomain(s))
	}
	if s := text(spec, "nodeName"); s != "" {
		es.invalids(path+".nodeName", s, checkSubdomain(s))
	}
	for _, name := range []string{"hostname", "subdomain"} {
		if s := text(spec, name); s != "" {
			es.invalids(path+"."+name, s, checkLabelName(s))
		}
	}
	es.validateTolerations(path+".tolerations", items(spec, "tolerations"))
}

// volumeNames are the fields without which a volume's source says nothing.
var volumeNames = []struct{ source, field string }{
	{"hostPath", "path"}, {"secret", "secretName"}, {"nfs", "server"}, {"nfs", "path"},
	{"persistentVolumeClaim", "claimName"}, {"configMap", "name"}, {"csi", "driver"},
}

// validateVolumes returns the names of those that are right: mounts of the others are errors too.
func (es *FieldErrors) validateVolumes(path string, volumes []map[string]any) map[string]bool {
	names := map[string]bool{}
	for i, v := range volumes {
		p := path + "[" + strconv.Itoa(i) + "]"
		before := len(*es)
		es.validateVolumeSource(p, v)
		name := text(v, "name")
		if name == "" {
			es.required(p+".name", "")
		} else {
			es.invalids(p+".name", name, checkLabelName(name))
		}
		if names[name] {
			es.duplicate(p+".name", name)
		}
		if len(*es) == before {
			names[name] = true
		}
	}
	return names
}

// validateVolumeSource checks that there is one source, and that it says what it has to.
func (es *FieldErrors) validateVolumeSource(path string, v map[string]any) {
	found := false
	for _, source := range volumeSources {
		s, ok := v[source].(map[string]any)
		if !ok {
			continue
		}
		if found {
			es.forbidden(path+"."+source, "may not specify more than 1 volume type")
			continue
		}
		found = true
		for _, n := range volumeNames {
			if n.source == source && text(s, n.field) == "" {
				es.required(path+"."+source+"."+n.field, "")
			}
		}
	}
}

// volumeSources is the order in which the API server looks for them.
var volumeSources = []string{"emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs",
	"iscsi", "glusterfs", "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte", "downwardAPI", "fc",
	"flexVolume", "configMap", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk",
	"storageos", "projected", "scaleIO", "csi", "ephemeral", "image"}

// validateResourceList checks what a container asks for against its limits.
func (es *FieldErrors) validateResourceList(path string, resources map[string]any) {
	limits, requests := quantities(resources, "limits"), quantities(resources, "requests")
	for _, name := range sortedKeys(limits) {
		es.validateResource(path+".limits["+name+"]", name, limits[name])
	}
	for _, name := range sortedKeys(requests) {
		es.validateResource(path+".requests["+name+"]", name, requests[name])
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
}
