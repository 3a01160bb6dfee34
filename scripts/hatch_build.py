"""The build hook of a wheel with SWI-Prolog inside; HATCH_BUILD_HOOK_ENABLE_CUSTOM=true runs it.

With PYLOGIC_SUDOKU_INSIDE=wasm that is WebAssembly, and the wheel is for any platform.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WithProlog(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build SWI-Prolog and put it into the package."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(__file__).parent))
        if os.environ.get("PYLOGIC_SUDOKU_INSIDE") == "wasm":
            import wasm

            wasm.fill()
            build_data["force_include"][str(wasm.INTO)] = "pylogic_sudoku/_wasm"
            return
        import bundle
        from machine import StepFailed, last_output

        cache = Path(self.root) / "build" / "wheel"
        log = Path(self.root) / "build" / "wheel.log"
        try:
            folder = bundle.bundle(cache, log)
        except StepFailed as error:
            raise RuntimeError(f"{last_output(log)}\n{error}\nAll output is in {log}") from None
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"][str(folder)] = "pylogic_sudoku/_swipl"
