"""Command lines, and what the names that people type stand for; the one room that imports all others."""
