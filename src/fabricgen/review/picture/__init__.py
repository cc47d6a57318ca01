"""Draws the part of a site that a change touches, as SVG and as a Mermaid flowchart."""

from fabricgen.review.picture.drawing import svg
from fabricgen.review.picture.mermaid import mermaid

__all__ = ["mermaid", "svg"]
