"""Write rendered files to disk, reads them back and compare two trees."""
