#!/bin/sh
# Begins a scenario: scenarios/new.sh NAME writes NAME.yaml from the skeleton and says what to do next.
set -e
cd "$(dirname "$0")"

case "$1" in
  "" | *[!a-z0-9-]* | -* | *-)
    echo "a scenario needs a name of small letters, digits and hyphens: make new-scenario NAME=my-lesson" >&2
    exit 1 ;;
esac
if [ -e "$1.yaml" ]; then
  echo "scenarios/$1.yaml is there already; it stays as it is" >&2
  exit 1
fi
sed "s/NAME/$1/g" skeleton.txt > "$1.yaml"

cat <<TEXT
scenarios/$1.yaml can be played. Now:

  1. Write it. Look at what it does:   go run ./web/rollplay run scenarios/$1.yaml
     what a person would see at 12 s:  go run ./web/rollplay run -kubectl "get rs" -at 12s scenarios/$1.yaml
     whether its numbers are right:    go run ./web/rollplay run -check scenarios/$1.yaml
  2. Give it its place in the order of the gallery, in scenarios/scenarios.go.
  3. make golden, and read engine/testdata/scenarios/$1.txt: it is what your scenario claims.
  4. go test ./scenarios ./engine
TEXT
