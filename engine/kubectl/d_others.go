package kubectl

import "github.com/rollplay/rollplay/engine/api"

func (d *description) quota(o *api.ResourceQuota) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.add("Resource\tUsed\tHard\n--------\t----\t----")
	for _, name := range resourceNames(o.Status.Hard) {
		used, hard := o.Status.Used[name], o.Status.Hard[name]
		d.line("%s\t%s\t%s", name, used.String(), hard.String())
	}
}
