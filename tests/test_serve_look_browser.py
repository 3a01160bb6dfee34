"""How the page looks in a real headless Chromium: roles, print, forced colours, small screens."""

from __future__ import annotations
