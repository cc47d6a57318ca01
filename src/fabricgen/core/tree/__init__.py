"""Text of a configuration as settings, how two of them differ, and how much that hurts."""
