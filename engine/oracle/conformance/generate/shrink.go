package generate

import "slices"

// shrinkRuns is the most runs that Shrink spends on a scenario.
const shrinkRuns = 600

// Shrink simplifies a scenario as long as differs is true of it, and returns the smallest one.
func Shrink(s *Scenario, differs func(*Scenario) bool) *Scenario {
	runs := 0
	for improved := true; improved && runs < shrinkRuns; {
		improved = false
		for _, smaller := range simpler(s) {
			if runs++; runs > shrinkRuns {
				break
			}
			if differs(smaller) {
				s, improved = smaller, true
				break
			}
		}
	}
	return s
}

// simpler returns scenarios with a little less, the largest steps first.
func simpler(s *Scenario) (list []*Scenario) {
	add := func(change func(*Scenario)) {
		c := *s
		c.images, c.objects, c.commands = slices.Clone(s.images), slices.Clone(s.objects), slices.Clone(s.commands)
		change(&c)
		list = append(list, &c)
	}
	fewerCommands(s, add)
	fewerImages(s, add)
	if s.quota >= 0 {
		add(func(c *Scenario) { c.quota = -1 })
	}
	if s.nodePods > 0 {
		add(func(c *Scenario) { c.nodePods = 0 })
	}
	if s.nodes > 1 {
		add(func(c *Scenario) { c.nodes = 1 })
	}
	fewerObjects(s, add)
	simplerCommands(s, add)
	return list
}

func fewerCommands(s *Scenario, add func(func(*Scenario))) {
	if n := len(s.commands); n > 3 {
		add(func(c *Scenario) { c.commands = c.commands[:n/2] })
		add(func(c *Scenario) { c.commands = c.commands[n/2:] })
	}
	for i := range s.commands {
		add(func(c *Scenario) { c.commands = slices.Delete(c.commands, i, i+1) })
	}
}

// fewerObjects leaves objects out, or parts of them.
func fewerObjects(s *Scenario, add func(func(*Scenario))) {
	if len(s.objects) > 1 {
		for i := range s.objects {
			add(func(c *Scenario) { c.objects = slices.Delete(c.objects, i, i+1) })
		}
	}
	for i, o := range s.objects {
		for _, smaller := range o.simpler() {
			add(func(c *Scenario) { c.objects[i] = smaller })
		}
	}
}

func fewerImages(s *Scenario, add func(func(*Scenario))) {
	for i := range s.images {
		add(func(c *Scenario) { c.images = slices.Delete(c.images, i, i+1) })
	}
	for i := range s.images {
		for _, f := range []func(*imageBehaviour) *string{
			func(b *imageBehaviour) *string { return &b.pull }, func(b *imageBehaviour) *string { return &b.start },
			func(b *imageBehaviour) *string { return &b.ready }, func(b *imageBehaviour) *string { return &b.stop },
			func(b *imageBehaviour) *string { return &b.crash },
		} {
			if *f(&s.images[i]) != "" {
				add(func(c *Scenario) { *f(&c.images[i]) = "" })
			}
		}
	}
}

// simplerCommands keeps the commands but makes them simpler: what is applied has fewer fields, times are whole seconds.
func simplerCommands(s *Scenario, add func(func(*Scenario))) {
	for i, command := range s.commands {
		if command.apply != nil {
			for _, smaller := range command.apply.simpler() {
				add(func(c *Scenario) { c.commands[i].apply = smaller })
			}
		}
		if r := command.at % 1000; r != 0 {
			add(func(c *Scenario) { c.commands[i].at -= r })
		}
	}
}
