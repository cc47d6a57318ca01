"""The GPU fabric as schedulers are told of it: who is near whom."""
