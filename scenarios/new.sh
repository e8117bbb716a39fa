#!/bin/sh
# Starts a scenario: scenarios/new.sh NAME writes NAME.yaml from the skeleton and prints the next steps.
set -e
cd "$(dirname "$0")"

case "$1" in
  "" | *[!a-z0-9-]* | -* | *-)
    echo "a scenario needs a name of lowercase letters, digits and hyphens: make new-scenario NAME=my-lesson" >&2
    exit 1 ;;
esac
if [ -e "$1.yaml" ]; then
  echo "scenarios/$1.yaml already exists; nothing was changed" >&2
  exit 1
fi
sed "s/NAME/$1/g" skeleton.txt > "$1.yaml"

cat <<TEXT
scenarios/$1.yaml is ready to play. Next:

  1. Write it. See what it does:       go run ./web/rollplay run scenarios/$1.yaml
     see what a user sees at 12 s:     go run ./web/rollplay run -kubectl "get rs" -at 12s scenarios/$1.yaml
     check its numbers:                go run ./web/rollplay run -check scenarios/$1.yaml
  2. Add it to a chapter in scenarios/chapters.txt.
  3. Run make golden and read engine/testdata/scenarios/$1.txt: it is what your scenario claims.
  4. Run go test ./scenarios ./engine
TEXT
