"""Find sentences that stand twice in the documentation: `python scripts/doubles.py` prints them.

A reader who meets a sentence again cannot tell whether to read it again, and of two copies one
becomes stale. So a page links to the other. Code, and sentences of less than ten words, do not
count.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "encodings/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
MEANT = (
    "this runs both, checks that they agree, and names the line that is wrong if they do not",
    "the examples ask both engines; make demo sets them up",
)
"""The sentence with which every first screen begins, and the one that comes before examples."""
LEAST = 10
"""The fewest words of a sentence that counts."""
CODE = re.compile(r"^```.*?^```$|<!--.*?-->", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
BREAK = re.compile(r"\n\s*\n|\n(?=\s*[-|#])|(?<=[.:!?])\s+(?=[A-Z`*])|\|")
"""The end of a paragraph, an item, a cell of a table or a sentence."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a Markdown text that count, without markup."""
    for part in BREAK.split(LINK.sub(r"\1", CODE.sub("", text))):
        words = re.sub(r"[*`#>|-]", " ", part).split()
        if len(words) >= LEAST:
            yield " ".join(words).rstrip(".:").lower()


def doubles(documents: Iterable[Path] = DOCUMENTS) -> dict[str, list[str]]:
    """Each sentence that stands more than once, with the names of the documents."""
    places = defaultdict(list)
    for document in documents:
        for sentence in sentences(document.read_text(encoding="utf-8")):
            places[sentence].append(document.name)
    return {
        sentence: names
        for sentence, names in places.items()
        if len(names) > 1 and not sentence.endswith(MEANT)
    }


if __name__ == "__main__":
    for sentence, names in doubles().items():
        print(f"{', '.join(names)}: {sentence}")
