#!/bin/sh
# Makes exercise.zip for CodeRunner, and autograder.zip for Gradescope, with the wheel of the grader
# in this folder.
set -e
cd "$(dirname "$0")"
rm -f autograder.zip exercise.zip
python3 -m zipfile -c exercise.zip @packed@
if ! wheels=$(ls ./*.whl 2>/dev/null); then
  echo "exercise.zip is made. For autograder.zip put a wheel of the grader here; README.md says how." >&2
  exit 1
fi
# shellcheck disable=SC2086
python3 -m zipfile -c autograder.zip gradescope/setup.sh gradescope/run_autograder @packed@ $wheels
echo autograder.zip exercise.zip
