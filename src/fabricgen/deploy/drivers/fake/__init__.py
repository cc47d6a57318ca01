"""A stand-in for a switch: a folder that keeps configurations, sessions and timers as one would."""
