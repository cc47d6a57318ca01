"""One room for each platform that can be pushed to: its driver, and what that runs there."""
