"""One expectation, from the model, against what is written and what runs."""
