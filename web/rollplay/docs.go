package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/web/must"
)

func docsCommand(c console) *cobra.Command {
	docs := &cobra.Command{Use: "docs", GroupID: building, Short: "write the documentation of the command"}
	var dir string
	man := &cobra.Command{Use: "man", Short: "write a man page for each command", Args: expects(0),
		RunE: ends(func([]string) { manPages(docs.Root(), dir, c) })}
	man.Example = "  rollplay docs man --output /usr/local/share/man/man1"
	man.Flags().StringVarP(&dir, "output", "o", "man", "the `folder` to write")
	docs.AddCommand(man)
	return docs
}

// manPages writes a man page for each command. Pages of the same version have the same bytes if SOURCE_DATE_EPOCH is set.
func manPages(root *cobra.Command, dir string, c console) {
	must.Do(os.MkdirAll(dir, 0o755))
	root.DisableAutoGenTag = true
	for _, cmd := range append(root.Commands(), root) {
		cmd.Long = cmd.Long + "\n\n" + exitCodes
	}
	header := &doc.GenManHeader{Section: "1", Source: "rollplay " + version.Number, Manual: "rollplay"}
	must.Do(doc.GenManTree(root, header, dir))
	fmt.Fprintf(c.out, "The man pages are in %s: man %s/rollplay.1\n", dir, dir)
}
