#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -e
apt-get update
apt-get install -y python3 python3-venv python3-pip swi-prolog-nox
cd /autograder/source
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install ./*.whl
