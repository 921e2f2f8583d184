"""Writes a series of days as NetCDF. Arguments: a file of float64, the first day, the path."""
import sys

import numpy as np
import xarray as xr

values, start, path = sys.argv[1:]
rain = np.fromfile(values)
days = np.datetime64(start, "ns") + np.arange(len(rain)).astype("timedelta64[D]")
xr.DataArray(rain[:, None, None], dims=["time", "lat", "lon"], name="precip", coords={"time": days, "lat": [50.0], "lon": [10.0]}).to_netcdf(path)
