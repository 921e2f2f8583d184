"""Daily values of a repository with dynamical.org's layout by xarray, as JSON: by variable, member and date, at a cell.

Days are of UTC. A mean over a step counts for the day in which its step lies, which ends at its lead; an instant counts
for the day of its time. Days that the run does not cover completely are left out.

Usage: dynamical-days.py FOLDER RUN LATITUDE LONGITUDE
"""
import json, sys, warnings
warnings.simplefilter('ignore')
import icechunk as ic, numpy as np, pandas as pd, xarray as xr

path, run, latitude, longitude = sys.argv[1:]
session = ic.Repository.open(ic.local_filesystem_storage(path)).readonly_session('main')
data = xr.open_zarr(session.store, consolidated=False, decode_timedelta=True).sel(init_time=run)
data = data.sel(latitude=float(latitude), longitude=float(longitude), method='nearest')
ends = pd.DatetimeIndex(data.valid_time.values)
hours = np.diff(data.lead_time.values / np.timedelta64(1, 'h'), prepend=0)

rain = pd.DataFrame(data.precipitation_surface.values.T.astype('f8') * hours[:, None] * 3600, index=ends)
rain = rain.iloc[1:].groupby((ends[1:] - pd.Timedelta('1s')).date).sum(min_count=1)
# Of steps of different lengths an instant counts as long as its step.
step = pd.Series(np.append(hours[1:], hours[-1]), index=ends)
degrees = pd.DataFrame(data.temperature_2m.values.T.astype('f8'), index=ends)
means = degrees.mul(step, axis=0).groupby(ends.date).sum().div(step.groupby(ends.date).sum(), axis=0)
def table(frame): return {str(day): list(map(float, row)) for day, row in zip(frame.index, frame.values) if str(day) < str(ends[-1].date())}
print(json.dumps({'precipitation': table(rain), 'temp_mean': table(means)}))
