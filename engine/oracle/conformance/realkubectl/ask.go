package realkubectl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Ask answers the lines of a job, in their order.
func Ask(job Job) (answers []Answer, err error) {
	home, err := os.MkdirTemp("", "kubectl")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	for len(job.Lines) > 0 {
		some, err := ask(home, job)
		if err != nil {
			return nil, err
		}
		answers = append(answers, some...)
		job.Lines = job.Lines[len(some):]
	}
	return answers, nil
}

// ask starts a process, which answers some of the lines, at least one.
func ask(home string, job Job) (answers []Answer, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	input, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	var errs bytes.Buffer
	c := exec.Command(program)
	c.Env = append(os.Environ(), served+"="+home, "TZ=UTC")
	c.Stdin, c.Stderr = bytes.NewReader(input), &errs
	output, failed := c.Output()
	for d := json.NewDecoder(bytes.NewReader(output)); ; {
		var a Answer
		switch err := d.Decode(&a); {
		case errors.Is(err, io.EOF) && len(answers) > 0:
			return answers, nil
		case err != nil:
			return nil, fmt.Errorf("the real kubectl has not answered %q: %v %w\n%s", job.Lines[0], failed, err, errs.String())
		}
		answers = append(answers, a)
	}
}
