"""What would change where, in which order: made, written, read again and held against the site."""
