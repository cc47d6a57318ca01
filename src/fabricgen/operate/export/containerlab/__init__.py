"""A designed site and its rendered files in, a folder that containerlab deploys out."""
