"""Whether every rail path is lossless, read back from the rendered files."""
