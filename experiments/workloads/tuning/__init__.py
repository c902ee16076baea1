"""Hyperparameter tuning: objectives that fit a model and score it, as Papers A and D optimise them.

A task is a data set, a model, the box of its hyperparameters and a fixed split; the same for every method. Evaluations
are deterministic and kept on disk by configuration and fold, so that seeds, methods and reruns share them.
"""
