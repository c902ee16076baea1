"""Claims of Paper B: corrected expected improvement under noisy observations."""
