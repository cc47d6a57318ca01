"""Groups the findings of running switches by their root causes."""
