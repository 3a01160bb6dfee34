"""Commands that are too long for `cli`: one module each."""
