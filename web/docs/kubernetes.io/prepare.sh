#!/bin/sh
# Writes what the pull request adds to a clone of kubernetes/website: prepare.sh CLONE [figure|embed]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
site=$1
step=${2:-embed}
scenario=first-rollout
pictures=$site/static/images/docs/rollouts

cd "$here/../../.."
mkdir -p "$pictures"
go run ./web/rollplay export $scenario -o animated --lang en --to "$pictures/$scenario.svg"
go run ./web/rollplay export $scenario -o animated --lang zh --to "$pictures/$scenario-zh.svg"
[ "$step" = figure ] && exit

go run ./web/rollplay build --embed $scenario --still --output "$site/static/rollplay"
# The frame has no origin, so that it cannot read the page: what it asks for must say that anybody may have it.
headers=$site/static/_headers
grep -q '^/rollplay/motions/' "$headers" 2>/dev/null || printf '/rollplay/motions/*\n  Access-Control-Allow-Origin: *\n' >>"$headers"
mkdir -p "$site/layouts/shortcodes"
cp "$here/layouts/shortcodes/rollout.html" "$site/layouts/shortcodes/"
for lang in en zh-cn; do
	file=$site/i18n/$lang/$lang.toml
	[ -e "$file" ] || file=$site/i18n/$lang.toml
	mkdir -p "$(dirname "$file")"
	grep -q '^\[rollout_title\]' "$file" 2>/dev/null || sed '1d' "$here/i18n/$lang.toml" >>"$file"
done
