"""Compression of neural networks by low-rank factorisation: the objective of section 5.2 of Paper B.

A decision in [0, 1]^d gives one rank a layer (`ranks`); a layer is replaced by two thinner ones (`factors`); the
network is judged by its error rate on held-out images plus its size relative to the original (`problem`). `dense` has
the fully connected network FC3, trained here on digits or MNIST; `convolutional` has VGG-16 and ResNet50, and
`convolutional_training` trains them.
"""
