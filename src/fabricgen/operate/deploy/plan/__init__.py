"""Make, write and read plans and compare them with the site."""
