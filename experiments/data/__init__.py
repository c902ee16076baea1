"""Public data sets that some studies need; none is part of this project.

One rule (`experiments.data.sources`): the folder that ``KERNELBO_DATA`` names; else the copy that an earlier download
left in ``.cache/data``; else the public source; else :class:`DataUnavailable`, which names the file, where it comes
from and the command that gets it. Whatever the way, the content must have the SHA-256 that the catalogue gives, or
:class:`DataCorrupted` says which file is broken.
"""

from experiments.data.catalogue import CATALOGUE, DataFile
from experiments.data.formats import DataCorrupted, Table
from experiments.data.sources import (
    VARIABLE,
    DataUnavailable,
    arrays,
    available,
    how_to_get,
    locate,
    obtain,
    present,
    table,
)
from experiments.data.studies import absent_data, obtain_for, skipped

__all__ = [
    "CATALOGUE",
    "VARIABLE",
    "DataCorrupted",
    "DataFile",
    "DataUnavailable",
    "Table",
    "absent_data",
    "arrays",
    "available",
    "how_to_get",
    "locate",
    "obtain",
    "obtain_for",
    "present",
    "skipped",
    "table",
]
