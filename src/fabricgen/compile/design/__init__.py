"""Intent and catalog in, designed fabrics out; in typed steps, each a pure function."""
