package line

import (
	"errors"
	"fmt"
	"strings"
)

// checkPatch reads the flags of kubectl patch before its objects (patch.go:Validate).
func checkPatch(c *Command) error {
	switch strings.ToLower(c.Flags["type"]) {
	case "", "strategic", "merge", "json":
	default:
		return fmt.Errorf("--type must be one of [json merge strategic], not %q", c.Flags["type"])
	}
	if c.Flags["patch"] == "" {
		return errors.New("must specify --patch or --patch-file containing the contents of the patch")
	}
	return nil
}
