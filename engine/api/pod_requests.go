package api

// Requests returns how much of a resource, such as cpu, a pod of this spec takes on a node. Init containers run one
// after the other and before the rest, so only the largest of them counts, on top of the sidecars that run already.
// (component-helpers/resource/helpers.go:PodRequests)
func (s *PodSpec) Requests(resource string) Quantity {
	return s.total(func(r *ResourceRequirements) Quantity {
		q, _ := r.Request(resource)
		return q
	})
}

// Limits returns how much of a resource a pod of this spec may use at most, counted like Requests.
func (s *PodSpec) Limits(resource string) Quantity {
	return s.total(func(r *ResourceRequirements) Quantity { return r.Limits[resource] })
}

func (s *PodSpec) total(of func(*ResourceRequirements) Quantity) Quantity {
	var sum, sidecars, init Quantity
	for i := range s.Containers {
		sum = sum.Add(of(&s.Containers[i].Resources))
	}
	for i := range s.InitContainers {
		c := &s.InitContainers[i]
		q := sidecars.Add(of(&c.Resources))
		if c.RestartPolicy == "Always" {
			sidecars = q
		}
		if q.Cmp(init) > 0 {
			init = q
		}
	}
	if sum = sum.Add(sidecars); sum.Cmp(init) < 0 {
		return init
	}
	return sum
}
