// Command testsum runs go test with its own arguments, shows a line for each package and the output of what failed,
// and ends with how many tests passed, failed and were skipped. It exits as go test does.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	cmd := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
		os.Exit(1)
	}
	s := newSummary(os.Stdout)
	readErr := s.readAll(out)
	os.Exit(s.finish(errors.Join(readErr, cmd.Wait())))
}

// readAll reads the events of go test, one to a line.
func (s *summary) readAll(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			s.read(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
