# The commands for everyday work. `make` alone lists them.

# Pinned, so that a new release of a tool does not break the build.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT = github.com/rhysd/actionlint/cmd/actionlint@v1.7.8
GOTESTSUM = gotest.tools/gotestsum@v1.13.0
GREMLINS = github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
FUZZTIME ?= 30s
TARGET ?=

PACKAGES = web/node_modules/.package-lock.json
# The real controllers have a module of their own, which keeps k8s.io out of the download.
CONFORMANCE = engine/oracle/conformance
N ?= 500
SEED ?= 7
KIND ?= deployment
SHOTS ?=
PKG ?= ./engine/link
SHELL = bash

.DEFAULT_GOAL := help
.PHONY: help run build test check tools lint scripts race bench bench-wasm golden new-scenario fuzz audit browsers conformance mutants mutants-judge docs-test

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 21

run: ## build the playground and serve it on this machine
	@go run ./web/rollplay serve

build: ## write the playground as static files into dist/
	@go run ./web/rollplay build -o dist

test: tools lint scripts ## install missing tools, check the code, run every test
	@echo "compiling the real controllers for the comparison takes some minutes the first time"
	@cd $(CONFORMANCE) && go vet ./...
	@web/test.sh $(GOTESTSUM) $(CONFORMANCE) -timeout 80m -vet=off # both modules are vetted; a busy machine takes twice as long

check: test ## what CI runs

# The browser tests need a Chromium, and the bundles need the packages of web/package-lock.json.
tools:
	@web/tools.sh

# The packages of the lock file: the lint and the tests of the scripts need them.
$(PACKAGES): web/package-lock.json
	@echo "installing the JavaScript packages (npm ci)"
	@cd web && npm ci --no-progress >/dev/null

lint: $(PACKAGES)
	@files=$$(find . \( -name node_modules -o -name '.[a-z]*' \) -prune -o -name '*.go' -print | xargs gofmt -l); \
	if [ -n "$$files" ]; then echo "gofmt -w would change:"; echo "$$files"; exit 1; fi
	@echo "go vet"
	@go vet ./...
	@GOOS=js GOARCH=wasm go vet ./wasm ./app
	@echo "staticcheck"
	@go run $(STATICCHECK) ./...
	@echo "actionlint"
	@go run $(ACTIONLINT) .github/workflows/*.yml web/docs/gate/check.yml web/docs/shards/matrix.yml
	@echo "tsc"
	@go test ./app/browser -run '^TestScriptTypes$$' >/dev/null || go test ./app/browser -run '^TestScriptTypes$$'
	@cd web && node_modules/.bin/tsc -p . && node_modules/.bin/tsc -p shell

scripts: $(PACKAGES) ## run the tests of the scripts that need no browser
	@set -o pipefail; node --test --test-reporter=spec web/src/*.test.js web/shell/*.test.js | \
		sed -n 's/^ℹ \(tests\|pass\|fail\) /scripts: \1 /p; /failing tests/,$$p'

race: ## run the command and the site under the race detector
	@go test -race -short ./web/rollplay ./web/site/...

bench: ## measure the engine
	@go test -run '^$$' -bench . -benchmem ./engine/...

bench-wasm: ## measure sweeps, seeds and proofs, natively and in WASM
	@for exec in '' $(CURDIR)/web/wasm.sh; do \
		[ -z "$$exec" ] || export GOOS=js GOARCH=wasm; \
		go test -exec "$$exec" -run '^$$' -bench '^Benchmark(Sweep60|Prove)' -benchtime 10x ./engine/forecast/sweep ./engine/prove && \
		go test -exec "$$exec" -run '^$$' -bench '^BenchmarkSeeds$$' -benchtime 1000x ./engine/forecast/sweep || exit; \
	done

golden: ## rewrite the golden traces and reports, the index of scenarios and the types of the scripts; review the diff
	@go test ./engine -run Golden -update
	@go test ./engine/forecast/check -run Reports -update
	@go test ./engine/forecast/sweep -run Measured -update
	@go test ./scenarios -run 'Index|Questions' -update
	@go test ./app/browser -run ScriptTypes -update

new-scenario: ## start a scenario (NAME=my-lesson)
	@scenarios/new.sh "$(NAME)"

conformance: ## compare N random scenarios with the real controllers (N=5000 SEED=1 KIND=statefulset), lines with the real kubectl (KIND=kubectl), pods with the real kubelet (KIND=kubelet), rollouts with a real cluster (KIND=cluster), or Services with the real EndpointSlice controller and kube-proxy (KIND=service)
	@cd $(CONFORMANCE) && go run . -kind $(KIND) -n $(N) -seed $(SEED)

mutants: ## change the code of PKG (./engine/link) line by line, and see that its own tests notice each (some minutes)
	@go run $(GREMLINS) unleash $(PKG) --workers 1 --timeout-coefficient 10

mutants-judge: ## change the engine's rules one by one, and see that conformance notices each (about ten minutes)
	@cd $(CONFORMANCE)/mutants && go test . -v -count=1 -timeout 90m -args -all

docs-test: tools ## build documentation sites with embeds, and look at them in a browser (SHOTS=folder for pictures)
	@go test ./web/browser -run '^TestDocumentationSites$$' -count=1 -timeout 20m -args -sites -shots "$(SHOTS)"

browsers: tools ## play the page, a lesson and an embed in Firefox and WebKitGTK, as far as they are installed
	@go test ./web/browser -run '^TestOtherBrowsers$$' -count=1 -v -args -browsers | grep -v '^=== '

fuzz: ## run each fuzz function for FUZZTIME (30s), or those whose folder and name match TARGET
	@FUZZTIME="$(FUZZTIME)" TARGET="$(TARGET)" web/fuzz.sh engine app web

audit: ## look for known vulnerabilities in the packages and modules
	@web/audit.sh
