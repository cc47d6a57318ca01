"""Select switches that may change together by redundancy and recheck each batch."""
