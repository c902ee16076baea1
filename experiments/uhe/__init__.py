"""The studies of the paper on unknown hyperparameters, "Provably Efficient Bayesian Optimization with Unknown Gaussian
Process Hyperparameter Estimation" (UHE-BO; Ha, Nguyen, Tran-The, Zhang, Zhang & van den Hengel).

One module a figure.
"""
