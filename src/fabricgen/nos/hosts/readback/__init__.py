"""What a server's network files mean, whichever program reads them; nothing of what wrote them."""
