"""Makes, writes and reads plans and compares them with the site."""
