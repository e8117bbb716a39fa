package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// target is the oldest JavaScript we write for. A browser that streams wasm and has no more than this is from 2022.
const target = api.ES2022

// bundle is main.js with what it loads at once and what it loads later, and style.css.
type bundle struct {
	files       []File
	main, style string   // names
	atOnce      []string // names of the files that main.js cannot run without
}

// buildBundle runs esbuild.
func buildBundle(o Options) (bundle, error) {
	web := filepath.Join(o.Root, "web")
	res := api.Build(api.BuildOptions{
		AbsWorkingDir:       web, // names in the output are relative to it, so that no hash depends on the machine
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "src/main.js", OutputPath: "main"}, {InputPath: "shell/page.css", OutputPath: "style"}},
		Bundle:              true,
		Format:              api.FormatESModule,
		Splitting:           true, // import() becomes a file of its own, loaded when it is wanted
		Target:              target,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		LegalComments:       api.LegalCommentsNone, // licenses.txt has the full texts
		Define:              map[string]string{"process.env.NODE_ENV": `"production"`},
		Loader:              map[string]api.Loader{".svg": api.LoaderDataURL, ".woff2": api.LoaderDataURL},
		EntryNames:          "[name]-[hash]",
		ChunkNames:          "[name]-[hash]",
		Outdir:              ".",
		AllowOverwrite:      true, // nothing is written: the files stay in memory
		Metafile:            true,
	})
	if err := messages("bundling", res.Errors, res.Warnings); err != nil {
		return bundle{}, err
	}
	var b bundle
	for _, f := range res.OutputFiles {
		name := filepath.Base(f.Path)
		b.files = append(b.files, File{Name: name, Type: typeOf(name), Hashed: true, First: true, Raw: f.Contents})
	}
	return b, b.readMeta(res.Metafile)
}

// readMeta learns from esbuild's own account what became of the entry points.
func (b *bundle) readMeta(meta string) error {
	var m struct {
		Outputs map[string]struct {
			EntryPoint string
			Imports    []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(meta), &m); err != nil {
		return fmt.Errorf("bundling: metafile: %w", err)
	}
	for name, out := range m.Outputs {
		switch out.EntryPoint {
		case "src/main.js":
			b.main = name
			for _, i := range out.Imports {
				if i.Kind == "import-statement" {
					b.atOnce = append(b.atOnce, i.Path)
				}
			}
		case "shell/page.css":
			b.style = name
		}
	}
	return nil
}

// messages makes one error of what esbuild complains about. A warning counts as an error: each has been a bug.
func messages(what string, lists ...[]api.Message) error {
	var errs []error
	for _, list := range lists {
		for _, m := range list {
			errs = append(errs, message(what, m))
		}
	}
	return errors.Join(errs...)
}

func message(what string, m api.Message) error {
	if m.Location == nil {
		return fmt.Errorf("%s: %s", what, m.Text)
	}
	return fmt.Errorf("%s: %s:%d:%d: %s", what, m.Location.File, m.Location.Line, m.Location.Column+1, m.Text)
}
