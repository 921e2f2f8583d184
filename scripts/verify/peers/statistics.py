"""Statistics over members by one library: lines of its name, what it is, and numbers.

Arguments: the library, a file of float64 (member, case), members, cases, a limit, probabilities.
"""
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

warnings.simplefilter("ignore")
tool, path, members, cases, limit, probabilities = sys.argv[1:]
x = np.fromfile(path).reshape(int(members), int(cases))
limit = float(limit)
p = [float(text) for text in probabilities.split(",")]


def say(what, values):
    print(tool, what, " ".join("%.17g" % value for value in np.ravel(values)), sep="\t")


NAMES = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased"]
share = (x > limit).sum(axis=0) / (~np.isnan(x)).sum(axis=0)
if tool == "numpy":
    say("mean", np.nanmean(x, axis=0))
    say("spread", np.nanstd(x, axis=0, ddof=1))
    say("share", share)
    for number, name in enumerate(NAMES, 1):
        say(f"type {number}", np.nanquantile(x, p, axis=0, method=name))
elif tool == "scipy":
    from scipy.stats.mstats import mquantiles

    # Types 4 to 9 by their plotting positions.
    positions = {4: (0, 1), 5: (0.5, 0.5), 6: (0, 0), 7: (1, 1), 8: (1 / 3, 1 / 3), 9: (3 / 8, 3 / 8)}
    masked = np.ma.masked_invalid(x)
    for number, (alpha, beta) in positions.items():
        say(f"type {number}", [[float(mquantiles(column.compressed(), [q], alpha, beta)[0]) for column in masked.T] for q in p])
elif tool == "pandas":
    import pandas as pd

    frame = pd.DataFrame(x)
    say("mean", frame.mean())
    say("spread", frame.std())
    say("type 7", frame.quantile(p).values)
elif tool == "xarray":
    import xarray as xr

    array = xr.DataArray(x, dims=["member", "case"])
    say("mean", array.mean("member"))
    say("spread", array.std("member", ddof=1))
    say("share", (array > limit).sum("member") / array.count("member"))
    for number, name in enumerate(NAMES, 1):
        if number >= 4:
            say(f"type {number}", array.quantile(p, "member", method=name, skipna=True))
elif tool == "polars":
    import polars as pl

    columns = [pl.Series(x[:, i][~np.isnan(x[:, i])]) for i in range(x.shape[1])]
    say("mean", [column.mean() for column in columns])
    say("spread", [column.std() for column in columns])
    say("type 7", [[column.quantile(q, interpolation="linear") for column in columns] for q in p])
elif tool == "duckdb":
    import duckdb
    import pandas as pd

    long = pd.DataFrame({"c": np.tile(np.arange(x.shape[1]), x.shape[0]), "v": x.ravel()}).dropna()
    found = duckdb.sql(f"select c, avg(v), stddev_samp(v), quantile_cont(v, {p}) from long group by c order by c").fetchall()
    say("mean", [row[1] for row in found])
    say("spread", [row[2] for row in found])
    say("type 7", np.array([row[3] for row in found]).T)
elif tool == "CDO":
    import xarray as xr

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for m, values in enumerate(x):
            files.append(os.path.join(folder, f"{m}.nc"))
            array = xr.DataArray(values[:, None, None], dims=["time", "lat", "lon"], name="v", coords={"time": np.datetime64("2026-01-01", "ns") + np.arange(len(values)).astype("timedelta64[D]"), "lat": [50.0], "lon": [10.0]})
            array.to_netcdf(files[-1], encoding={"v": {"_FillValue": -9e33}})

        def cdo(*operator):
            out = os.path.join(folder, "out.nc")
            subprocess.run(["cdo", "-s", "-O", "-b", "F64", *operator, *files, out], check=True, stderr=subprocess.DEVNULL)
            with xr.open_dataset(out, decode_times=False) as data:
                return data["v"].values.ravel()

        say("mean", cdo("ensmean"))
        say("spread", cdo("ensstd1"))
        # It does not interpolate between the two lowest members.
        say("type 7", [cdo("--percentile", "numpy_linear", f"enspctl,{100 * q:g}") for q in p if q >= 0.1])
