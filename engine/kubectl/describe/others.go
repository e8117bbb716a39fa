package describe

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

func (d *description) quota(o *api.ResourceQuota) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.add("Resource\tUsed\tHard\n--------\t----\t----")
	for _, name := range print.ResourceNames(o.Status.Hard) {
		used, hard := o.Status.Used[name], o.Status.Hard[name]
		d.line("%s\t%s\t%s", name, used.String(), hard.String())
	}
}
