"""What a cell costs beside its computation: on the local pool, and on a dask cluster of the same machine."""
