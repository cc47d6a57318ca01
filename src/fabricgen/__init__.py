"""fabricgen: intent in, reviewable switch configuration out."""

__version__ = "0.1.0"
