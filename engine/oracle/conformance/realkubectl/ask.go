package realkubectl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
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

// patience is the real time that a process has for its lines: one that hangs is killed, and the line that it hung at has crashed.
const patience = 3 * time.Minute

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
	patient, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(patient, program)
	c.Env = append(os.Environ(), served+"="+home, "TZ=UTC")
	c.Stdin, c.Stderr = bytes.NewReader(input), &errs
	output, failed := c.Output()
	for d := json.NewDecoder(bytes.NewReader(output)); ; {
		var a Answer
		switch err := d.Decode(&a); {
		case errors.Is(err, io.EOF) && len(answers) > 0:
			return answers, nil
		case errors.Is(err, io.EOF) && failed != nil: // it is the result of this line; the others get a process of their own
			reason, _, _ := strings.Cut(errs.String(), "\n\n")
			return []Answer{{Line: job.Lines[0], Code: Crashed, Stderr: reason, Text: fmt.Sprintf("%v\n%s", failed, reason)}}, nil
		case err != nil:
			return nil, fmt.Errorf("the real kubectl has not answered %q: %v %w\n%s", job.Lines[0], failed, err, errs.String())
		}
		answers = append(answers, a)
	}
}
