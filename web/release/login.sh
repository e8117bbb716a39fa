#!/usr/bin/env bash
# Logs in to a registry, with the password on standard input rather than in the list of processes.
#
#   REGISTRY_USER=… REGISTRY_PASSWORD=… web/release/login.sh REGISTRY
set -euo pipefail

registry=${1:?"usage: web/release/login.sh REGISTRY"}
CRANE=${CRANE:-go run github.com/google/go-containerregistry/cmd/crane@v0.20.6}
printf '%s' "${REGISTRY_PASSWORD:?"no password"}" | $CRANE auth login "$registry" --username "${REGISTRY_USER:?"no user"}" --password-stdin
