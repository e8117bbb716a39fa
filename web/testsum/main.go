// Command testsum runs go test with its own arguments, shows a line for each package and the output of failed tests, and ends
// with the numbers of passed, failed and skipped tests. It exits as go test does. Arguments `-and DIR` in front run the tests
// of other modules with the same arguments, at the same time.
package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
)

func main() {
	dirs, args := []string{"."}, os.Args[1:]
	for len(args) > 1 && args[0] == "-and" {
		dirs, args = append(dirs, args[1]), args[2:]
	}
	s := newSummary(os.Stdout)
	failed := make([]error, len(dirs))
	var wg sync.WaitGroup
	for i, dir := range dirs {
		wg.Go(func() { failed[i] = s.run(dir, args) })
	}
	wg.Wait()
	os.Exit(s.finish(errors.Join(failed...)))
}

// run adds the tests of one module.
func (s *summary) run(dir string, args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	return errors.Join(s.readAll(out), cmd.Wait())
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
