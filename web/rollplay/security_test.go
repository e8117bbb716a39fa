package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/web/site/pack"
)

// TestSecurityPage: the policy and the numbers of SECURITY.md are those of the code.
func TestSecurityPage(t *testing.T) {
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.ReadFile("../shell/host.js")
	if err != nil {
		t.Fatal(err)
	}
	height := regexp.MustCompile(`Math\.min\(Number\(m\.height\), (\d)(\d{3})\)`).FindSubmatch(host)
	if height == nil {
		t.Fatal("host.js does not limit the height of an embed")
	}
	flags := runCommand(console{watch: newWatch()}).Flags()
	memory := flags.Lookup("memory").Value.(*amount)
	page := strings.Join(strings.Fields(string(text)), " ")
	for _, want := range []string{
		pack.Policy,
		fmt.Sprintf("the last %d drafts", drafts.Max),
		fmt.Sprintf("it reads %d at most", drafts.ReadMax),
		fmt.Sprintf("change its own height up to %s,%s px", height[1], height[2]),
		fmt.Sprintf("Commands read at most %d MiB", limits.Text>>20),
		fmt.Sprintf("`check` reads streams of %d MiB, of which %d MiB", streamMax>>20, limits.Text>>20),
		fmt.Sprintf("end after %s s or beyond %d GiB", strings.TrimSuffix(strings.Replace(flags.Lookup("timeout").DefValue, "1m0s", "60s", 1), "s"), *memory>>30),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("SECURITY.md does not say: %s", want)
		}
	}
}
