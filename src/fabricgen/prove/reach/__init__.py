"""Answers reachability questions from the model and again from the rendered files."""
