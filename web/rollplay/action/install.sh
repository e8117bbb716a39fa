#!/usr/bin/env bash
# The first step of action.yml: puts the released binary of this version into the job's folder, after its checksum was verified. Without a
# release of this version the output "build" is true, and the action builds the program from its own source.
set -u

wrong() {
  echo "rollplay: $1" >&2
  exit 2
}

build() {
  echo "rollplay: $1, so it is built from source"
  echo "build=true" >>"$GITHUB_OUTPUT"
  exit 0
}

# missing says why there is no binary: that is an error only for binary: release.
missing() {
  [ "$BINARY" != release ] || wrong "$1"
  build "$1"
}

case $BINARY in
auto | release) ;;
build) build "the input binary is build" ;;
*) wrong "binary is auto, release or build, not $BINARY" ;;
esac

version=$(sed -n 's/^const Number = "\(.*\)"$/\1/p' "$ACTION/app/version/version.go")
case $version in
"" | *-dev) missing "version ${version:-unknown} is no release" ;;
esac
[ -n "$RELEASES" ] || missing "the action is used from a folder, which has no releases"

case $RUNNER_OS in
Linux) os=linux program=rollplay ;;
macOS) os=darwin program=rollplay ;;
Windows) os=windows program=rollplay.exe ;;
*) missing "there is no release for $RUNNER_OS" ;;
esac
case $RUNNER_ARCH in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
*) missing "there is no release for $RUNNER_ARCH" ;;
esac

folder=$RUNNER_TEMP/rollplay-release
archive=rollplay_${os}_$arch.tar.gz
mkdir -p "$folder"
for file in checksums.txt "$archive"; do
  curl --fail --silent --show-error --location --proto-redir =https --retry 3 --output "$folder/$file" "$RELEASES/v$version/$file" ||
    missing "release v$version has no $file"
done

want=$(awk -v file="$archive" '$2 == file { print $1 }' "$folder/checksums.txt")
if command -v sha256sum >/dev/null; then
  have=$(sha256sum <"$folder/$archive")
else
  have=$(shasum -a 256 <"$folder/$archive")
fi
# A wrong checksum is never a reason to build instead: somebody must look.
[ -n "$want" ] || wrong "checksums.txt of v$version does not name $archive"
[ "${have%% *}" = "$want" ] || wrong "the checksum of $archive is ${have%% *}, and checksums.txt of v$version says $want"

# GNU tar takes D: in a name of Windows for a host, so it gets a name without a folder.
(cd "$folder" && tar -xzf "$archive" "$program") || wrong "$archive has no $program"
mv -f "$folder/$program" "$RUNNER_TEMP/$program"
echo "rollplay: installed v$version"
echo "build=false" >>"$GITHUB_OUTPUT"
