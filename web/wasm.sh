#!/usr/bin/env bash
# Runs a test that was compiled for WebAssembly in Node, rewritten as the build rewrites app.wasm: go test -exec web/wasm.sh
set -euo pipefail
GOOS= GOARCH= go run github.com/rollplay/rollplay/web/site/pack/gowasm/cmd/gowasm "$1"
exec node --stack-size=8192 "$(go env GOROOT)/lib/wasm/wasm_exec_node.js" "$@"
