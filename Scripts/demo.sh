#!/usr/bin/env bash
# Installs what is missing, builds, and runs the demo. Arguments go to it; none shows the gallery.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/setup.sh
set_up
swift build -c release --product demo
exec "$(swift build -c release --show-bin-path)/demo" "$@"
