#!/usr/bin/env bash
# Writes the site into a folder for an address.
#
#   web/release/site.sh FOLDER ADDRESS      dist https://rollplay.github.io/rollplay
set -euo pipefail
cd "$(dirname "$0")/../.."

usage="usage: web/release/site.sh FOLDER ADDRESS"
out=${1:?"$usage"} address=${2:?"$usage"}
(cd web && npm ci --no-progress >/dev/null)
go run ./web/rollplay build -o "$out" --url "${address%/}/"
