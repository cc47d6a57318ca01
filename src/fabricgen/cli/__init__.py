"""The command line: one verb per file; a verb imports what it needs when it is called."""
