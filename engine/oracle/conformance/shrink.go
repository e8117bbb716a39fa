package main

import "slices"

// shrinkRuns is how often a scenario is run to make it smaller.
const shrinkRuns = 600

// shrink simplifies a scenario as long as a difference of the same sort stays. The answer is the smallest one.
func shrink(s *scenario, sort string, run func(*scenario) verdict) *scenario {
	runs := 0
	for improved := true; improved && runs < shrinkRuns; {
		improved = false
		for _, smaller := range simpler(s) {
			if runs++; runs > shrinkRuns {
				break
			}
			if v := run(smaller); v.difference != nil && v.sort() == sort {
				s, improved = smaller, true
				break
			}
		}
	}
	return s
}

// sort is what must stay while a scenario shrinks: which controller differs, and in what.
func (v *verdict) sort() string {
	d := v.difference
	return v.known + " " + actorOf(d.Where) + " " + pathOf(d.What)
}

// simpler returns scenarios that have a little less, the largest steps first.
func simpler(s *scenario) (list []*scenario) {
	add := func(change func(*scenario)) {
		c := *s
		c.images, c.objects, c.commands = slices.Clone(s.images), slices.Clone(s.objects), slices.Clone(s.commands)
		change(&c)
		list = append(list, &c)
	}
	fewerCommands(s, add)
	fewerImages(s, add)
	if s.quota >= 0 {
		add(func(c *scenario) { c.quota = -1 })
	}
	if s.nodePods > 0 {
		add(func(c *scenario) { c.nodePods = 0 })
	}
	if s.nodes > 1 {
		add(func(c *scenario) { c.nodes = 1 })
	}
	fewerObjects(s, add)
	simplerCommands(s, add)
	return list
}

func fewerCommands(s *scenario, add func(func(*scenario))) {
	if n := len(s.commands); n > 3 {
		add(func(c *scenario) { c.commands = c.commands[:n/2] })
		add(func(c *scenario) { c.commands = c.commands[n/2:] })
	}
	for i := range s.commands {
		add(func(c *scenario) { c.commands = slices.Delete(c.commands, i, i+1) })
	}
}

// fewerObjects leaves objects out, or parts of them.
func fewerObjects(s *scenario, add func(func(*scenario))) {
	if len(s.objects) > 1 {
		for i := range s.objects {
			add(func(c *scenario) { c.objects = slices.Delete(c.objects, i, i+1) })
		}
	}
	for i, o := range s.objects {
		for _, smaller := range o.simpler() {
			add(func(c *scenario) { c.objects[i] = smaller })
		}
	}
}

func fewerImages(s *scenario, add func(func(*scenario))) {
	for i := range s.images {
		add(func(c *scenario) { c.images = slices.Delete(c.images, i, i+1) })
	}
	for i := range s.images {
		for _, f := range []func(*imageBehaviour) *string{
			func(b *imageBehaviour) *string { return &b.pull }, func(b *imageBehaviour) *string { return &b.start },
			func(b *imageBehaviour) *string { return &b.ready }, func(b *imageBehaviour) *string { return &b.stop },
			func(b *imageBehaviour) *string { return &b.crash },
		} {
			if *f(&s.images[i]) != "" {
				add(func(c *scenario) { *f(&c.images[i]) = "" })
			}
		}
	}
}

// simplerCommands keeps the commands but makes them simpler: what is applied has fewer fields, times are whole seconds.
func simplerCommands(s *scenario, add func(func(*scenario))) {
	for i, command := range s.commands {
		if command.apply != nil {
			for _, smaller := range command.apply.simpler() {
				add(func(c *scenario) { c.commands[i].apply = smaller })
			}
		}
		if r := command.at % 1000; r != 0 {
			add(func(c *scenario) { c.commands[i].at -= r })
		}
	}
}

func (m *manifest) simpler() (list []workload) {
	for _, change := range simplerManifest(m) {
		c := *m
		change(&c)
		list = append(list, &c)
	}
	return list
}

// simplerManifest returns changes that leave something out of a Deployment.
func simplerManifest(m *manifest) (changes []func(*manifest)) {
	for _, f := range []func(*manifest) *string{
		func(m *manifest) *string { return &m.replicas }, func(m *manifest) *string { return &m.surge },
		func(m *manifest) *string { return &m.unavailable }, func(m *manifest) *string { return &m.minReady },
		func(m *manifest) *string { return &m.deadline }, func(m *manifest) *string { return &m.history },
		func(m *manifest) *string { return &m.grace }, func(m *manifest) *string { return &m.annotation },
	} {
		if *f(m) != "" {
			changes = append(changes, func(c *manifest) { *f(c) = "" })
		}
	}
	for _, small := range []string{"1", "2", "3", "5"} {
		if len(m.replicas) > 1 || m.replicas > small {
			changes = append(changes, func(c *manifest) { c.replicas = small })
		}
	}
	for _, f := range []func(*manifest) *bool{
		func(m *manifest) *bool { return &m.recreate }, func(m *manifest) *bool { return &m.paused },
		func(m *manifest) *bool { return &m.probe },
	} {
		if *f(m) {
			changes = append(changes, func(c *manifest) { *f(c) = false })
		}
	}
	return changes
}
