#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -e
apt-get update
apt-get install -y python3 python3-venv python3-pip swi-prolog-nox bubblewrap
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "This image has $(python3 --version), and the grader needs 3.11 or newer:" \
    "choose another image, such as Ubuntu 24.04." >&2
  exit 1
fi
cd /autograder/source
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install ./*.whl

# Submissions run as a user of their own, who reads neither the solutions nor our programs.
useradd --system --no-create-home submission
chmod -R go= /autograder/source
package=$(echo /autograder/venv/lib/python3*/site-packages/pylogic_sudoku)
chmod -R go= "$package"/{encodings,prolog,problems,check/templates}
chmod go=rx "$package"/prolog "$package"/prolog/{host,sudoku}
chmod go=r "$package"/prolog/sudoku/{grading,diagnosis}.pl
chmod go=r "$package"/prolog/host/*.pl
