// Command benchwasm measures what the page computes in numbers before a deployment, natively and as WASM in Node: sweeps, seeds and
// proofs. The WASM is rewritten as the build rewrites app.wasm. Nothing else may run.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pack/slim"
)

// subject is a benchmark, and how many times it runs.
type subject struct {
	name, folder, bench string
	times               int
}

var subjects = []subject{
	{"sweep of 60 cells", "engine/forecast/sweep", "Sweep60", 10},
	{"1,000 seeds", "engine/forecast/sweep", "Seeds", 1000},
	{"prove 6 replicas", "engine/prove", "Prove/ready", 10},
	{"… with a crash", "engine/prove", "Prove/crash", 10},
	{"… with a lost node", "engine/prove", "Prove/node", 10},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "benchwasm:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := pack.Root()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rollplay-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("%-20s %-8s %12s %12s\n", "", "", "wall", "cpu")
	for _, s := range subjects {
		for _, p := range []platform{native, node} {
			wall, cpu, err := s.measure(root, dir, p)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, p.name, err)
			}
			fmt.Printf("%-20s %-8s %9.0f ms %9.0f ms\n", s.name, p.name, wall, cpu)
		}
	}
	return nil
}

// platform is where a test runs.
type platform struct {
	name    string
	env     []string
	command func(test string) (*exec.Cmd, error)
}

var (
	native = platform{"native", nil, func(test string) (*exec.Cmd, error) { return exec.Command(test), nil }}
	node   = platform{"wasm", []string{"GOOS=js", "GOARCH=wasm"}, inNode}
)

// inNode rewrites a test and runs it in Node.
func inNode(test string) (*exec.Cmd, error) {
	whole, err := os.ReadFile(test)
	if err != nil {
		return nil, err
	}
	small, err := slim.Module(whole)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(test, small, 0o644); err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	return exec.Command("node", "--stack-size=8192", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js"), test), nil
}

// measure returns the ms of one sweep, of all seeds or of one proof: on the clock, and of all processors. The latter has the process's
// start in it, and in Node the compiler's threads.
func (s *subject) measure(root, dir string, p platform) (wall, cpu float64, err error) {
	test := filepath.Join(dir, "test")
	build := exec.Command("go", "test", "-c", "-o", test, "./"+s.folder)
	build.Dir, build.Env = root, append(os.Environ(), p.env...)
	if msg, err := build.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, msg)
	}
	cmd, err := p.command(test)
	if err != nil {
		return 0, 0, err
	}
	cmd.Args = append(cmd.Args, "-test.run=^$", "-test.bench=^Benchmark"+s.bench+"$", "-test.benchtime="+strconv.Itoa(s.times)+"x")
	cmd.Dir = filepath.Join(root, s.folder)
	out := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, out)
	}
	each, err := perOp(out.String())
	if err != nil {
		return 0, 0, err
	}
	used := float64((cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())/time.Microsecond) / 1000
	if s.bench == "Seeds" {
		return each * float64(s.times), used, nil
	}
	return each, used / float64(s.times), nil
}

var opTime = regexp.MustCompile(`([\d.]+) ns/op`)

// perOp reads the ms of one operation.
func perOp(out string) (float64, error) {
	all := opTime.FindAllStringSubmatch(out, -1)
	if len(all) != 1 {
		return 0, fmt.Errorf("%d times, not one, in\n%s", len(all), out)
	}
	ns, err := strconv.ParseFloat(all[0][1], 64)
	return ns / 1e6, err
}
