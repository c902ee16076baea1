"""What scale paper costs by today's code: a sample of its cells, computed anew."""
