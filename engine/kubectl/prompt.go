package kubectl

import "errors"

// Refused returns what kubectl answers to a line that it cannot read; it is false for a line that can be carried out,
// whatever comes of it. A line that is refused changes nothing in any cluster.
func Refused(line string) (answer string, refused bool) {
	_, err := parse(line)
	if err == nil {
		return "", false
	}
	return errorText(err), true
}

// Edit answers kubectl edit, which changes nothing by itself: it names the object that is to be opened,
// Deployment/default/web, or says why there is none. It is false for any other line.
func (r *Reader) Edit(line string) (object string, answer *Reading, ok bool) {
	c, err := parse(line)
	if c == nil || c.verb != "edit" || c.help {
		return "", nil, false
	}
	out := &reading{Reader: r, command: c, now: r.Now}
	if err == nil && len(c.targets) != 1 {
		err = errOneObject
	}
	if err == nil && r.Cluster.Get(c.targets[0]) == nil {
		err = notFound(c.targets[0])
	}
	if err != nil {
		out.fail(err)
		return "", &out.answer, true
	}
	return c.targets[0].String(), &out.answer, true
}

var errOneObject = errors.New("rollplay opens one object at a time")
