"""Reviews a change: causes in the intent, effects, who is hit, order and text by shape."""
