"""The overhead of a cell beside its computation: on the local pool, and on a dask cluster of the same machine."""
