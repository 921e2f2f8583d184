"""Statistics of ensemble weather data, computed by long-lived processes of `plumecast worker`.

`statistics` takes an Arrow table and returns one; `pandas_statistics` and `polars_statistics` do the same for data frames;
`plumecast.spark` has `ensemble_statistics` and `file_statistics` for Spark, `plumecast.dask` has `ensemble_statistics` for Dask.
"""

from ._command import CommandError, find_command
from ._schema import SchemaError, result_schema
from ._split import SplitPlaceError
from ._version import __version__
from ._worker import RequestError, VersionError, Worker, WorkerError
from .tables import file_statistics, pandas_statistics, polars_statistics, statistics

__all__ = [
    "CommandError",
    "RequestError",
    "SchemaError",
    "SplitPlaceError",
    "VersionError",
    "Worker",
    "WorkerError",
    "__version__",
    "file_statistics",
    "find_command",
    "pandas_statistics",
    "polars_statistics",
    "result_schema",
    "statistics",
]
