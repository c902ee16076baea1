"""The cost of scale paper by today's code: a sample of its cells, computed anew."""
