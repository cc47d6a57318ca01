"""Read the state of plain Linux with FRR: the commands and the parsers of their output."""
