package site

import (
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// buildBoot joins Go's own glue for wasm with the script that starts the page, and shrinks them. They are one file
// because one is of no use without the other. It is a classic script, so that the download of the wasm starts
// before the modules are read.
func buildBoot(o Options) (File, error) {
	glue, err := wasmExec()
	if err != nil {
		return File{}, err
	}
	start, err := classicScript(o, string(glue), "storage.js", "boot.js")
	if err != nil {
		return File{}, err
	}
	return hashed("boot", ".js", start), nil
}

// classicScript joins scripts of web/shell, behind a text, and shrinks them.
func classicScript(o Options, text string, names ...string) ([]byte, error) {
	for _, name := range names {
		script, err := os.ReadFile(filepath.Join(o.Root, "web", "shell", name))
		if err != nil {
			return nil, err
		}
		text += "\n" + string(script)
	}
	last := names[len(names)-1]
	res := api.Transform(text, api.TransformOptions{
		Target:            target,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Sourcefile:        last,
	})
	return res.Code, messages(last, res.Errors, res.Warnings)
}

func shrink(name, code string) ([]byte, error) {
	res := api.Transform(code, api.TransformOptions{
		Target: target, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Sourcefile: name,
	})
	return res.Code, messages(name, res.Errors, res.Warnings)
}

// styleSheet joins a style sheet of web/shell with those that it imports, and shrinks them.
func styleSheet(o Options, name string) ([]byte, error) {
	res := api.Build(api.BuildOptions{
		AbsWorkingDir: filepath.Join(o.Root, "web"), EntryPoints: []string{"shell/" + name}, Bundle: true, Target: target,
		MinifyWhitespace: true, MinifySyntax: true, Outdir: ".", AllowOverwrite: true,
	})
	if err := messages(name, res.Errors, res.Warnings); err != nil {
		return nil, err
	}
	return res.OutputFiles[0].Contents, nil
}
