#!/usr/bin/env bash
# Builds the documentation of the library's modules, or of those named, into .build/documentation.
# Fails on a warning, on a public declaration without documentation, on an operator without an
# example, and on an example that does not compile or gives something else than it says.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/setup.sh
set_up python3

modules=("$@")
[ "$#" -gt 0 ] || modules=(Flow FlowTesting Pipeline)

toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
docc=$toolchain/bin/docc
[ -x "$docc" ] || docc=docc
binaries=$(swift build --show-bin-path)
target=$(swiftc -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
output=.build/documentation
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"

flags=(-I "$binaries/Modules" -target "$target")
[ "$(uname)" != Darwin ] || flags+=(-sdk "$(xcrun --show-sdk-path)")
for folder in Sources/CLibraries/*/; do
  flags+=(-I "$folder")
done
for map in "$binaries"/C*.build/module.modulemap; do
  [ ! -f "$map" ] || flags+=(-Xcc "-fmodule-map-file=$map")
done

folder() {
  [ "$1" != Flow ] && echo "Sources/$1" || echo Sources/Streams
}

# What a module and Flow were compiled to; the folder may hold what is left of files that are gone.
objects() {
  local module
  for module in $(printf 'Flow\n%s\n' "$1" | sort -u); do
    find "$(folder "$module")" -name '*.swift' -exec basename {} \; |
      sed "s|.*|$binaries/$module.build/&.o|"
  done
}

for module in "${modules[@]}"; do
  swift build --target "$module" > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
  mkdir "$work/$module"
  swift symbolgraph-extract -module-name "$module" "${flags[@]}" -output-dir "$work/$module" \
    -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols
  python3 Scripts/documentation.py coverage "$module" "$work/$module"/*.json

  catalog=$(find Sources -type d -name "$module.docc")
  "$docc" convert ${catalog:+"$catalog"} --additional-symbol-graph-dir "$work/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --enable-experimental-overloaded-symbol-presentation \
    --warnings-as-errors --output-path "$output/$module.doccarchive"

  prelude=Scripts/Examples/$module.swift
  [ -f "$prelude" ] || continue
  python3 Scripts/documentation.py examples "$module" "$(folder "$module")" "$prelude" \
    > "$work/Examples.swift"
  swiftc -swift-version 6 -suppress-warnings -parse-as-library "${flags[@]}" \
    -o "$work/examples" "$work/Examples.swift" $(objects "$module")
  "$work/examples"
done
