"""The speed and memory of streamed kernel sums."""
