"""Reports on the results of programs, in the formats that platforms and people read.

Each format is a class: `form` has its face, and `FORMATS` all of them, from which the command line
takes its choices. `write` makes the text of a file from a `Report`.
"""

from .form import FORMATS, Format, Streamed, streamed, write
from .lines import record, total
from .page import TEMPLATES, part
from .platforms import Gradescope
from .table import Csv

__all__ = ["FORMATS", "TEMPLATES", "Csv", "Format", "Gradescope", "Streamed", "part", "record"]
__all__ += ["streamed", "total", "write"]
