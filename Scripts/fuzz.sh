#!/usr/bin/env bash
# Fuzzes the decoders with libFuzzer: Scripts/fuzz.sh [SECONDS [FORMAT...]]
# or cuts and damages every file of the corpus: Scripts/fuzz.sh walk [BYTES], where files of up to so
# many bytes (65536) are cut at every byte, and all have each of their first 512 bytes flipped.
# Formats: jpeg png gif webp. Under the address sanitizer, the C parts under that of undefined
# behaviour too. Seeds come from the image corpus (IMAGE_CORPUS, or beside the package); inputs that
# find something new are kept in .build-fuzz/FORMAT. A crash ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
formats=("$@")
small=65536
if [ "$seconds" = walk ]; then
  small=${1:-$small}
  formats=(none)
fi
[ ${#formats[@]} -gt 0 ] || formats=(jpeg png gif webp)
corpus=${IMAGE_CORPUS:-../shared/corpus}
scratch=.build-fuzz

swift build -c release --target Pipeline --scratch-path $scratch \
  -Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library \
  -Xcc -fsanitize=fuzzer-no-link,address -Xcc -fsanitize=undefined \
  -Xcc -fno-sanitize-recover=undefined
objects=$(find $scratch/release/Flow.build $scratch/release/Pipeline.build \
  $scratch/release/C*Shims.build -name '*.o')
maps=$(find Sources/CLibraries $scratch/release/C*Shims.build -name module.modulemap \
  -printf '-Xcc -fmodule-map-file=%p ')
# The linker warns of every section that the sanitizers have no use for.
# shellcheck disable=SC2086
swiftc -sanitize=fuzzer,address -parse-as-library -I $scratch/release/Modules $maps \
  Tests/Fuzzing/*.swift $objects \
  -lcurl -ljpeg -lpng -lgif -lwebp -lwebpdemux -lwebpmux -llcms2 -lz \
  -o $scratch/decode-fuzzing 2> >(grep -v 'ld.gold' >&2)

# Leaks are looked for by the kernel's means that containers often forbid.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1

# Smallest first, one process a file: what breaks is named.
walk() {
  local kind=$1 count=0
  shift
  while read -r _ file; do
    DAMAGE_WALK=$kind "$scratch/decode-fuzzing" -timeout=7200 -rss_limit_mb=2048 "$file" \
      >"$scratch/walk.log" 2>&1 || {
      tail -60 "$scratch/walk.log"
      echo "$file: damage ($kind) breaks the decoder" >&2
      exit 1
    }
    count=$((count + 1))
  done < <(find "$corpus" -type f ! -name manifest.json "$@" -printf '%s %p\n' | sort -n)
  echo "$kind: $count files, no fault"
}

if [ "$seconds" = walk ]; then
  walk flips
  walk prefixes -size "-$((small + 1))c"
  exit
fi

for format in "${formats[@]}"; do
  mkdir -p "$scratch/$format"
  if [ -d "$corpus" ]; then
    find "$corpus/$format" "$corpus/bad" -name "*.${format/jpeg/jp*g}" -size -32k \
      -exec cp -n {} "$scratch/$format/" \;
  fi
  log=$scratch/$format.log
  "$scratch/decode-fuzzing" \
    -max_total_time="$seconds" -max_len=32768 -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$scratch/crash-$format-" \
    "$scratch/$format" >"$log" 2>&1 || {
    tail -60 "$log"
    echo "$format: an input breaks the decoder, see $scratch/crash-$format-*" >&2
    exit 1
  }
  echo "$format: $(grep -a 'number_of_executed_units' "$log" | tr -dc 0-9) inputs, no fault"
done
