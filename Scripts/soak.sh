#!/usr/bin/env bash
# Many loads against a server of faults, cancelled at random; fails when the process holds more
# threads, descriptors or memory at the end than after the first tenth, or takes five minutes.
# Usage: Scripts/soak.sh [LOADS]; 50000 unless told otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."

export FLOW_SOAK="${1:-50000}"
swift build --build-tests
timeout 300 swift test --skip-build --filter SoakTests
