"""What runs on the switch: sent as text to the python3 there (3.9 or later), stdlib only."""
