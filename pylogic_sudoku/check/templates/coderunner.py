"""The template of a CodeRunner question: a template grader that is a combinator."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

ANSWER = """{{ STUDENT_ANSWER | e('py') }}"""
PROGRAM = "@program@"

Path(PROGRAM).write_text(ANSWER, encoding="utf-8")
with zipfile.ZipFile("exercise.zip") as files:  # a support file
    files.extractall("exercise")
command = [sys.executable, "-m", "pylogic_sudoku", "check", "-e", PROGRAM, "-i", "exercise"]
command += ["--no-times", "--report", "coderunner=result.json"]
done = subprocess.run(command, capture_output=True, text=True)
try:
    print(Path("result.json").read_text(encoding="utf-8"))
except OSError:
    print(
        json.dumps(
            {
                "fraction": 0,
                "prologuehtml": "<p>The grader failed.</p>",
                "instructorhtml": "<pre>" + done.stderr.replace("<", "&lt;") + "</pre>",
            }
        )
    )
