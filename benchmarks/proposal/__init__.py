"""Seconds per proposal of BOKE and GP-UCB, whole runs beside BoTorch's."""
