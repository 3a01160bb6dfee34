"""Read the recipe for conda as rattler-build does, and print the package that it would make."""

from __future__ import annotations

import os
import sys
from pathlib import Path

RECIPE = Path(__file__).resolve().parent / "conda" / "recipe.yaml"


def main() -> int:
    from hatchling.metadata.core import ProjectMetadata
    from hatchling.plugin.manager import PluginManager
    from rattler_build import RattlerBuildError, Stage0Recipe

    metadata = ProjectMetadata(str(RECIPE.parents[2]), PluginManager())
    os.environ["PYLOGIC_SUDOKU_VERSION"] = metadata.version
    try:
        (variant,) = Stage0Recipe.from_yaml(RECIPE.read_text(encoding="utf-8")).render()
    except RattlerBuildError as error:
        print(f"{RECIPE}: {error}", file=sys.stderr)
        return 1
    print(variant)
    return 0


if __name__ == "__main__":
    sys.exit(main())
