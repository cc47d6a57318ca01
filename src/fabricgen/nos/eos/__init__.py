"""Lower a switch slice to the view of the one configuration file of Arista EOS."""
