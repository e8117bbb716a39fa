#!/usr/bin/env bash
# Prints the manifest for krew, kubectl's plugin manager: kubectl krew install rollplay.
#
#   web/release/krew.sh VERSION ADDRESS CHECKSUMS      0.6.0 https://github.com/rollplay/rollplay/releases/download/v0.6.0 checksums.txt
set -euo pipefail

version=${1:?"usage: web/release/krew.sh VERSION ADDRESS CHECKSUMS"} address=${2:?"no address"} checksums=${3:?"no checksums"}

cat <<END
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: rollplay
spec:
  version: v$version
  homepage: https://github.com/rollplay/rollplay
  shortDescription: Judge a rollout before it is deployed
  description: |
    rollplay runs the rules of Kubernetes' controllers on a virtual cluster. It says how low an update goes, how long it takes, what it
    needs and whether nodes can be drained, before anything is deployed: helm template . | kubectl rollplay check -
  platforms:
END
while read -r sum archive; do
  platform=${archive#rollplay_}
  platform=${platform%.tar.gz}
  os=${platform%_*} arch=${platform#*_}
  bin=rollplay
  [ "$os" != windows ] || bin=rollplay.exe
  cat <<END
  - selector:
      matchLabels:
        os: $os
        arch: $arch
    uri: $address/$archive
    sha256: $sum
    bin: $bin
END
done < <(grep '  rollplay_' "$checksums")
