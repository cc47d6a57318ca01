"""Register the network OSes: one folder for each, with `nos.py` as the interface."""
