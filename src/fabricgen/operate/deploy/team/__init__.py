"""Define who may change switches and when: the team's rules and signatures."""
