"""Seconds per proposal of the seven acquisitions of Paper B, beside BoTorch's own."""
