"""Drive Debian with FRR and ifupdown2 over SSH, from the operator's side and on the switch."""
