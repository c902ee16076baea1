"""The studies of the paper on corrected EI, "A Corrected Expected Improvement Acquisition Function Under Noisy
Observations" (Zhou, Ma & Blaschko, ACML 2023).

One module a figure or table.
"""
