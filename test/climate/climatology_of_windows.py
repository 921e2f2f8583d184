"""Reference distributions of windows of ERA5, by pandas: JSON of [windows, window, {key: [samples, mean, q10, t33, t67]}]."""

import json
import sys

import numpy as np
import pandas as pd

series = pd.read_csv(sys.argv[1], parse_dates=["date"]).set_index("date").precip_mm
FIRST, LAST = 1985, 2014


def entry(values):
    values = np.asarray(values, dtype=float)
    return [len(values), values.mean(), *np.quantile(values, [0.1, 1 / 3, 2 / 3])]


def measure(values, window):
    return values.sum() if window == "sum" else float((values > 20).sum())


def months(initials):
    at = ("JFMAMJJASOND" * 2).index(initials)
    return [(at + k) % 12 + 1 for k in range(len(initials))]


def by_months(initials, window):
    run = months(initials)
    values = []
    for year in range(FIRST, LAST + 1):
        # The year is that of the last month.
        begin = pd.Timestamp(year - 1 if run[-1] < run[0] else year, run[0], 1)
        end = pd.Timestamp(year, run[-1], 1) + pd.offsets.MonthEnd(0)
        values.append(measure(series[begin:end], window))
    return entry(values)


def dekads(window):
    result = {}
    for month in range(1, 13):
        for k, (a, b) in enumerate([(1, 10), (11, 20), (21, 31)]):
            days = lambda year: series[(series.index.year == year) & (series.index.month == month)
                                       & (series.index.day >= a) & (series.index.day <= b)]
            key = f"D{3 * month - 2 + k:02d}"
            result[key] = entry([measure(days(year), window) for year in range(FIRST, LAST + 1)])
    return result


def rolling(length, half):
    sums = series.rolling(length).sum() if length > 1 else series
    sums = sums[(sums.index.year >= FIRST) & (sums.index.year <= LAST)]
    at = {day: k for k, day in enumerate(sums.index)}
    result = {}
    for day in pd.date_range("2000-01-01", "2000-12-31"):
        values = []
        for year in range(FIRST, LAST + 1):
            leap = pd.Timestamp(year, 1, 1).is_leap_year
            centre = pd.Timestamp(year, day.month, 28 if (day.month, day.day) == (2, 29) and not leap else day.day)
            k = at[centre]
            values.extend(sums.iloc[max(0, k - half):k + half + 1])
        result[f"P{length}D/{day:%m-%d}"] = entry(values)
    return result


results = []
for window in ["sum", "days >20"]:
    for windows in [["DJF", "MAM", "JJA", "SON"], ["JFMAMJ", "FMA", "OND", "NDJF"]]:
        found = {name: by_months(name, window) for name in windows}
        results.append([",".join(windows), window, 0, found])
    results.append(["years", window, 0, {"year": by_months("JFMAMJJASOND", window)}])
    results.append(["years from 10", window, 0, {"year from 10": by_months("ONDJFMAMJJAS", window)}])
    results.append(["dekads", window, 0, dekads(window)])
results.append(["rolling 7", "sum", 7, rolling(7, 7)])
results.append(["rolling 30", "sum", 0, rolling(30, 0)])
print(json.dumps(results))
