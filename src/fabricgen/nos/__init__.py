"""All that is known of one network OS stands in one folder; `nos.py` is the seam."""
