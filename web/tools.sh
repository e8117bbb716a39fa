#!/usr/bin/env bash
# Installs what the tests need and this machine lacks: the JavaScript packages, and Chromium if the script may install
# it. Otherwise it says what to install.
set -euo pipefail
cd "$(dirname "$0")"

for tool in node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "make test needs $tool: install Node.js 20 or newer" >&2
    exit 1
  fi
done

if [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "installing the JavaScript packages (npm ci)"
  npm ci --no-progress >/dev/null
fi

has_chromium() {
  [ -n "${CHROMIUM:-}" ] && return
  local name
  for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && return
  done
  return 1
}

if ! has_chromium; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Chromium (apt-get)"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq </dev/null
    apt-get install -y -qq --no-install-recommends chromium fonts-liberation </dev/null >/dev/null
  else
    echo "make test needs a browser: install Chromium or Google Chrome, or set CHROMIUM to its path" >&2
    exit 1
  fi
fi
