"""The engine of the studies: cells, a pool of workers, results on disk, the version of the code,
estimates, statistics."""
