"""What a switch must show and what it shows in, every difference in an engineer's words out."""
