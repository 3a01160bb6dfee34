"""Reports on the results of programs, in the formats that platforms and people read.

Each format is a class: `form` has its face, and `FORMATS` all of them, from which the command line
takes its choices. `write` makes the text of a file from a `Report`.
"""

from .form import FORMATS, Format, Streamed, streamed, write
from .lines import Json, Text, record, total
from .located import Lines, Sarif
from .page import TEMPLATES, Html, part
from .platforms import CodeRunner, Gradescope, JUnit
from .table import Csv

__all__ = ["FORMATS", "TEMPLATES", "CodeRunner", "Csv", "Format", "Gradescope", "Html", "JUnit"]
__all__ += [
    "Json",
    "Lines",
    "Sarif",
    "Streamed",
    "Text",
    "part",
    "record",
    "streamed",
    "total",
    "write",
]
