"""The metadata that depend on where the project is: its links, and a README that is read elsewhere.

In the repository, links and images of README.md are relative; on the page of a package index they
would lead nowhere. ``repository`` is the one line of pyproject.toml that knows the place.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(\]\(|\b(?:src|srcset|href)=\")(?!https?:|#)([^)\"]+)")
IMAGES = {".png", ".svg", ".webp"}


def absolute(readme: str, repository: str) -> str:
    """Return the text with each relative link as an address in the repository."""

    def at(link: re.Match[str]) -> str:
        # An image is fetched as it is, and a document is shown.
        view = "raw" if Path(link[2]).suffix in IMAGES else "blob"
        return f"{link[1]}{repository}/{view}/HEAD/{link[2]}"

    return LINK.sub(at, readme)


class Place(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the README and the links."""
        repository = self.config["repository"]
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(readme, repository),
        }
        metadata["urls"] = {
            "Documentation": f"{repository}/blob/HEAD/docs/index.md",
            "Repository": repository,
            "Issues": f"{repository}/issues",
            "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
        }
