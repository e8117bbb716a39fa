package compare

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

// compareObjects compares what was stored.
func (j *judge) compareObjects(where string, ours, theirs *upstream.Action) {
	a, b := withoutChance(ours.Object), withoutChance(j.translated(theirs.Object))
	if equality.Semantic.DeepEqual(a, b) {
		return
	}
	path, x, y := firstDifference("", reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
	j.differ(where, fmt.Sprintf("%s of the stored %s", strings.TrimPrefix(path, "."), ours.About), x, y)
}

// withoutChance returns a copy of an object without what each API server decides for itself.
func withoutChance(o convert.Object) convert.Object {
	c := o.DeepCopyObject().(convert.Object)
	c.SetResourceVersion("")
	c.SetUID("")
	c.SetManagedFields(nil)
	switch c := c.(type) {
	case *corev1.Pod:
		if c.Labels[api.StatefulSetPodNameLabel] == "" {
			c.Name = "" // random
		}
		slices.SortFunc(c.Spec.Volumes, func(a, b corev1.Volume) int { return strings.Compare(a.Name, b.Name) })
		for i := range c.Status.Conditions {
			c.Status.Conditions[i].Message = podNames(c.Status.Conditions[i].Message)
		}
	case *appsv1.ReplicaSet:
		for i := range c.Status.Conditions {
			c.Status.Conditions[i].Message = podNames(c.Status.Conditions[i].Message)
		}
	case *appsv1.Deployment:
		for i := range c.Status.Conditions {
			c.Status.Conditions[i].Message = podNames(c.Status.Conditions[i].Message)
		}
	case *appsv1.ControllerRevision:
		c.Generation = 0
		delete(c.Annotations, appsv1.DeprecatedTemplateGeneration) // the engine keeps it elsewhere
	case *corev1.PersistentVolumeClaim:
		c.TypeMeta, c.Generation, c.Status = metav1.TypeMeta{}, 0, corev1.PersistentVolumeClaimStatus{} // nothing is provisioned
	}
	return c
}

// translated replaces the real hash in the messages of a Deployment's conditions.
func (j *judge) translated(o convert.Object) convert.Object {
	d, ok := o.(*appsv1.Deployment)
	if !ok {
		return o
	}
	d = d.DeepCopy()
	for i := range d.Status.Conditions {
		d.Status.Conditions[i].Message = j.server.Translate(d.Status.Conditions[i].Message)
	}
	return d
}

// firstDifference returns the path of the first field in which two values of one type differ, and both sides of it.
func firstDifference(path string, a, b reflect.Value) (where, x, y string) {
	switch a.Kind() {
	case reflect.Struct:
		if _, leaf := a.Interface().(metav1.Time); leaf {
			break
		}
		for i := range a.NumField() {
			if !a.Type().Field(i).IsExported() || equality.Semantic.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
				continue
			}
			name := a.Type().Field(i).Name
			if a.Type().Field(i).Anonymous {
				return firstDifference(path, a.Field(i), b.Field(i))
			}
			return firstDifference(path+"."+name, a.Field(i), b.Field(i))
		}
	case reflect.Pointer:
		if !a.IsNil() && !b.IsNil() {
			return firstDifference(path, a.Elem(), b.Elem())
		}
		return path, pointerText(a), pointerText(b)
	case reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			if !equality.Semantic.DeepEqual(a.Index(i).Interface(), b.Index(i).Interface()) {
				return firstDifference(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
			}
		}
	}
	return path, fmt.Sprintf("%v", a.Interface()), fmt.Sprintf("%v", b.Interface())
}

func pointerText(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	return fmt.Sprintf("%v", v.Elem().Interface())
}
