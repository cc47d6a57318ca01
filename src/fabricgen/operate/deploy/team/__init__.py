"""Who may change switches, and when: a team's rules, and what its people signed."""
