"""Rendered files on their way to disk and back: the atomic tree, and how two trees differ."""
