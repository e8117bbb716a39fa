package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/web/must"
)

// accept applies a baseline to the report, or writes it.
func (j *judgement) accept(b *check.Baseline) {
	if j.newBaseline != "" {
		b = j.report.Baseline()
		var text bytes.Buffer
		writeJSON(&text, b)
		must.Do(os.WriteFile(j.newBaseline, text.Bytes(), 0o644))
	}
	if b != nil {
		j.report.Accept(b)
	}
}

// readBaseline reads the baseline, nil without one.
func (o *checkOptions) readBaseline() *check.Baseline {
	if o.baseline == "" {
		return nil
	}
	b, err := check.ReadBaseline(must.Have(readFile(o.baseline, limits.Text, o.console)))
	if err != nil {
		must.Do(fmt.Errorf("%s: %s", o.baseline, input(err)))
	}
	return b
}

// validate returns an error for flags that do not go together.
func (o *checkOptions) validate(manifests []string) error {
	fromGit := strings.HasPrefix(o.from, fromGit)
	switch {
	case o.onlyWorse && o.from == "":
		return fmt.Errorf("%w: --only-worse compares with what is deployed now; give --from", errUsage)
	case o.render != "" && o.from != "" && !fromGit:
		return fmt.Errorf("%w: --render renders a revision of git; --from is a file here", errUsage)
	case o.render != "" && o.from == "" && len(manifests) > 0:
		return fmt.Errorf("%w: --render prints the manifests; name no file beside it, or a revision with --from git:main", errUsage)
	case o.nodes != "" && o.cluster != "":
		return fmt.Errorf("%w: --nodes and --cluster both have the nodes; give one of them", errUsage)
	case o.baseline != "" && o.newBaseline != "":
		return fmt.Errorf("%w: --baseline reads and --write-baseline writes; give one of them", errUsage)
	}
	if _, err := time.Parse(time.DateOnly, o.today); o.today != "" && err != nil {
		return fmt.Errorf("%w: --today is a day such as 2026-11-25, not %q", errUsage, o.today)
	}
	return nil
}
