#!/bin/sh
# Makes autograder.zip for Gradescope and exercise.zip for CodeRunner. A wheel of the grader in this
# folder goes with the first.
set -e
cd "$(dirname "$0")"
rm -f autograder.zip exercise.zip
wheels=$(ls ./*.whl 2>/dev/null || true)
python3 -m zipfile -c exercise.zip exercise.toml instances solutions
# shellcheck disable=SC2086
python3 -m zipfile -c autograder.zip gradescope/setup.sh gradescope/run_autograder exercise.toml \
  instances solutions $wheels
echo autograder.zip exercise.zip
