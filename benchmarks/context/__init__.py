"""Seconds per proposal of the methods for random contexts of Paper C."""
