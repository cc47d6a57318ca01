"""Laws that every network obeys, checked over the facts read from its files."""
