"""Posteriors, runs and steps that several claims of Paper B share."""
