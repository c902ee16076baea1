"""Command lines, and the meaning of the names that people type. This package alone imports all others."""
