"""Write a folder that containerlab deploys."""
