"""What pandas and xclim say of the windows of a daily series, as JSON: a list of [name, {key: value}].

Arguments: a CSV with date, precip_mm and t2m_degC.
"""

import json
import logging
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import pandas as pd
import xarray as xr
import xclim.indices as xi
import xclim.indices.run_length as rl

table = pd.read_csv(sys.argv[1], parse_dates=["date"]).set_index("date")
rain, temp = table["precip_mm"], table["t2m_degC"]
results = {}


def keep(name, series, key):
    found = {key(date): float(value) for date, value in series.items() if pd.notna(value)}
    results[name] = found


def season(date):
    first = {12: "DJF", 3: "MAM", 6: "JJA", 9: "SON"}[date.month]
    return f"{date.year + (date.month == 12)}-{first}"


def week(date):
    iso = date.isocalendar()
    return f"{iso[0]}-W{iso[1]:02d}"


def year(date):
    return str(date.year)


def day(date):
    return date.strftime("%Y-%m-%d")


# pandas
keep("seasons sum precipitation", rain.resample("QS-DEC").sum(), season)
keep("seasons range temp_mean", temp.resample("QS-DEC").max() - temp.resample("QS-DEC").min(), season)
keep("years last temp_mean", temp.resample("YS").last(), year)
keep("years from 10 sum precipitation", rain.resample("YS-OCT").sum(), lambda d: f"{d.year}/{(d.year + 1) % 100:02d}")
keep("rolling 7 sum precipitation", rain.rolling(7).sum(), day)
keep("rolling 30 mean temp_mean", temp.rolling(30).mean(), day)
keep("rolling 90 max temp_mean", temp.rolling(90).max(), day)
keep("rolling 10 days >1 precipitation", (rain > 1).astype(float).rolling(10).sum(), day)
thirds = rain.groupby([rain.index.year, (rain.index.month - 1) * 3 + (rain.index.day.values - 1).clip(0, 29) // 10]).sum()
results["dekads sum precipitation"] = {f"{y}-D{k + 1:02d}": float(v) for (y, k), v in thirds.items()}

# xclim
pr = xr.DataArray(rain.values, dims="time", coords={"time": rain.index.values}, attrs={"units": "mm/day"})
tas = xr.DataArray(temp.values, dims="time", coords={"time": temp.index.values}, attrs={"units": "degC"})


def of_array(array):
    return pd.Series(array.values, index=pd.DatetimeIndex(array["time"].values))


keep("years days <0 temp_mean", of_array(xi.generic.threshold_count(tas, "<", 0, "YS")), year)
keep("seasons days >=10 precipitation", of_array(xi.wetdays(pr, "10 mm/day", freq="QS-DEC")), season)
keep("years longest spell <1 precipitation", of_array(xi.maximum_consecutive_dry_days(pr, "1 mm/day", freq="YS")), year)
keep("years excess <18 temp_mean", of_array(xi.heating_degree_days(tas, "18 degC", freq="YS")), year)
keep("seasons excess >10 temp_mean", of_array(xi.cooling_degree_days(tas, "10 degC", freq="QS-DEC")), season)
runs = (pr < 1).resample(time="YS").map(rl.windowed_run_events, window=5, dim="time")
keep("years spells <1 of 5 d precipitation", of_array(runs), year)
first = (tas > 15).resample(time="YS").map(lambda x: rl.first_run(x, window=1, dim="time"))
keep("years first day >15 temp_mean", of_array(first + 1), year)

# Weeks from Monday to Sunday, by the Monday.
weekly = {"time": "W-MON", "closed": "left", "label": "left"}
dry, rain_days = (pr < 1).resample(**weekly), (pr > 5).resample(**weekly)
keep("weekly days <0 temp_mean", of_array((tas < 0).resample(**weekly).sum()), week)
keep("weekly longest spell <1 precipitation", of_array(dry.map(rl.longest_run, dim="time")), week)
keep("weekly spells <1 of 3 d precipitation", of_array(dry.map(rl.windowed_run_events, window=3, dim="time")), week)
# Where all days fulfil the condition, xclim 0.62 finds no first one.
first = rain_days.map(lambda x: rl.first_run(x, window=1, dim="time").where(~x.all("time"), 0))
keep("weekly first day >5 precipitation", of_array(first + 1), week)

print(json.dumps(list(results.items())))
