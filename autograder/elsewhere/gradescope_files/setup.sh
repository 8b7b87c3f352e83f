#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image: a Python, and what grading needs, by hash.
set -euo pipefail
source=${AUTOGRADER_ROOT:-/autograder}/source

suitable() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() {
  for name in python3.13 python3.12 python3.11 python3; do
    if suitable "$name"; then echo "$name"; return; fi
  done
}

python=$(find_python)
if [ -z "$python" ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends python3.11 python3.11-venv \
    || apt-get install -y -qq --no-install-recommends python3 python3-venv
  python=$(find_python)
fi
[ -n "$python" ] || { echo "Python 3.11 or newer is needed; choose a newer base image (Ubuntu 22.04 has it)."; exit 1; }

"$python" -m venv "$source/venv"
"$source/venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: \
  --require-hashes -r "$source/requirements.txt"

# Students' code runs as nobody: it may read Python, NumPy and the desk; suites, solutions and seed are root's.
chmod -R go-rwx "$source"
chmod a+x "$source" "$source/kit" "$source/kit/autograder"
chmod -R a+rX "$source/venv" "$source/kit/autograder/desk"
PYTHONPATH="$source/kit" "$source/venv/bin/python" -m autograder.elsewhere.walls
