"""Importing janus changes the locale of the process, for numbers and times too.

Workaround: pylogic_sudoku/engines/prolog/start.py sets it back.
"""

from probe import ended, report

CODE = """
import locale
before = locale.setlocale(locale.LC_ALL)
import janus_swi
print(locale.setlocale(locale.LC_ALL) == before)
"""

done = ended(CODE, LC_ALL="C.UTF-8")
done.check_returncode()
report(done.stdout.strip() == b"False")
