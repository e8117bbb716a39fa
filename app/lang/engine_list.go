//go:build !js

package lang

import _ "embed"

//go:embed engine.zh.txt
var engineList string

// EngineList returns the text of EngineFile.
func EngineList() string { return engineList }

func engineChinese() string { return engineList }
