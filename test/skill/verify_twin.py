"""Writes real hindcasts as files, and scores them with pandas, scoringrules and xskillscore: slowly, and by the definitions.

Arguments: the folder of the hindcasts, that of the history, and a folder to write to. Prints JSON.
"""

import datetime as dt
import json
import sys
import warnings

import numpy as np
import pandas as pd
import scoringrules as sr
import xarray as xr
import xskillscore as xs

warnings.filterwarnings("ignore")
hindcasts, history, folder = sys.argv[1:]
DAYS = 212
YEARS = range(1993, 2020)

ds = xr.open_dataset(f"{hindcasts}/all_years_nc4.nc")
observed = xr.open_dataset(f"{history}/daily_nc4.nc")


def write_files():
    """A file of all runs by init and lead, one for each run, and two tables."""
    runs = []
    for year in YEARS:
        run = ds[["precip", "t2m"]].sel(time=str(year)).isel(time=slice(0, DAYS))
        run = run.assign_coords(latitude=ds.latitude, longitude=ds.longitude)
        init = pd.Timestamp(f"{year}-02-01")
        own = run.assign_coords(forecast_reference_time=init)
        own.forecast_reference_time.attrs["standard_name"] = "forecast_reference_time"
        own.to_netcdf(f"{folder}/run-{year}.nc")
        runs.append(run.assign_coords(time=np.arange(DAYS)).rename(time="lead").expand_dims(init=[init]))
    all_runs = xr.concat(runs, "init")
    all_runs.init.attrs["standard_name"] = "forecast_reference_time"
    all_runs.lead.attrs.update(standard_name="forecast_period", units="days")
    all_runs.to_netcdf(f"{folder}/hindcasts.nc")


def window_values(series: pd.DataFrame, granularity: str, how: str) -> pd.DataFrame:
    """Values of complete windows by their first day."""
    if granularity == "daily":
        return series
    rule, origin = {"monthly": ("MS", {}), "weekly": ("W-MON", {"closed": "left", "label": "left"})}[granularity]
    grouped = series.resample(rule, **origin)
    values = grouped.agg(how)
    count = grouped.size()
    expected = 7 if granularity == "weekly" else values.index.days_in_month
    return values[count == expected]


def key_of(day: pd.Timestamp, granularity: str):
    if granularity == "weekly":
        return day.isocalendar()[1]
    return day.month if granularity == "monthly" else (day.month, day.day)


def year_of(day: pd.Timestamp, granularity: str) -> int:
    return day.isocalendar()[0] if granularity == "weekly" else day.year


def climate_samples(values: dict, start: pd.Timestamp, granularity: str) -> np.ndarray:
    """The values of the same period in all other years: of days, the values of the 7 days before and after it."""
    if granularity != "daily":
        key, own = key_of(start, granularity), year_of(start, granularity)
        return np.array([values[day] for day in BY_KEY[granularity][key] if year_of(day, granularity) != own])
    samples = []
    for year in range(1979, 2020):
        if year == start.year:
            continue
        leap = (start.month, start.day) == (2, 29) and not pd.Timestamp(year, 1, 1).is_leap_year
        centre = dt.datetime(year, 2, 28) if leap else dt.datetime(year, start.month, start.day)
        if centre not in values:
            continue
        around = [centre + dt.timedelta(days=d) for d in range(-7, 8)]
        samples += [values[day] for day in around if day in values]
    return np.array(samples)


# The first days of windows by the period of the year.
BY_KEY: dict = {}


def months_between(a: pd.Timestamp, b: pd.Timestamp) -> int:
    return (b.year - a.year) * 12 + b.month - a.month - (b.day < a.day)


def roc_area(p: np.ndarray, o: np.ndarray) -> float:
    """The share of pairs of an event and another case in which the event had the higher probability; ties count half."""
    yes, no = p[o == 1], p[o == 0]
    if len(yes) == 0 or len(no) == 0:
        return float("nan")
    wins = (yes[:, None] > no[None, :]) + 0.5 * (yes[:, None] == no[None, :])
    return float(wins.mean())


def event_scores(k: np.ndarray, n: int, o: np.ndarray) -> dict:
    p = k / n
    base = o.mean()
    reliability = resolution = 0.0
    for value in np.unique(p):
        some = p == value
        reliability += some.sum() * (value - o[some].mean()) ** 2 / len(p)
        resolution += some.sum() * (o[some].mean() - base) ** 2 / len(p)
    happened = np.where(o == 1, k, n - k)
    return {
        "base_rate": base,
        "brier": sr.brier_score(o, p).mean(),
        "fair_brier": np.mean((p - o) ** 2 - k * (n - k) / (n * n * (n - 1))) if n > 1 else np.nan,
        "reliability": reliability,
        "resolution": resolution,
        "uncertainty": base * (1 - base),
        "ignorance": np.mean(-np.log2((happened + 0.5) / (n + 1))),
        "roc_area": roc_area(p, o),
    }


def forecast_scores(members: np.ndarray, y: np.ndarray, events: dict, limits: np.ndarray, quantiles) -> dict:
    """Scores by (score, event); members by case, limits of terciles by case."""
    n = members.shape[1]
    mean = members.mean(axis=1)
    a, b = xr.DataArray(y, dims="case"), xr.DataArray(mean, dims="case")
    ensemble = xr.DataArray(members, dims=("case", "member"))
    variance = members.var(axis=1, ddof=1) if n > 1 else np.full(len(y), np.nan)
    found = {
        ("bias", None): np.mean(mean - y),
        ("mae", None): float(xs.mae(a, b)),
        ("mse", None): float(xs.mse(a, b)),
        ("rmse", None): float(xs.rmse(a, b)),
        ("correlation", None): float(xs.pearson_r(a, b, dim="case")),
        ("crps", None): float(xs.crps_ensemble(a, ensemble)),
    }
    assert abs(found["crps", None] - sr.crps_ensemble(y, members, estimator="nrg").mean()) < 1e-11
    if n > 1:
        found["fair_crps", None] = sr.crps_ensemble(y, members, estimator="fair").mean()
        found["spread", None] = np.sqrt(variance.mean())
        found["spread_error_ratio", None] = np.sqrt((variance * (n + 1) / n).mean() / np.mean((mean - y) ** 2))
    for q in quantiles:
        value = np.quantile(members, q, axis=1)
        found["quantile_score", f"quantile {q}"] = sr.quantile_score(y, value, q).mean()
    # Sums of hundredths that are equal but for their last bits are ties.
    members, y, limits = (np.round(values, 9) for values in (members, y, limits))
    below = (members < limits[:, :1]).sum(axis=1), (y < limits[:, 0]).astype(float)
    above = (members > limits[:, 1:]).sum(axis=1), (y > limits[:, 1]).astype(float)
    normal = n - below[0] - above[0], 1 - below[1] - above[1]
    not_above = n - above[0], 1 - above[1]
    for name, (k, o) in {**events, "below": below, "normal": normal, "above": above}.items():
        for score, value in event_scores(np.asarray(k), n, np.asarray(o)).items():
            found[score, name] = value
    ranked = [event_scores(k, n, o) for k, o in (below, not_above)]
    found["rps", None] = sum(each["brier"] for each in ranked)
    found["fair_rps", None] = sum(each["fair_brier"] for each in ranked)
    return found


WITH_SKILL = "mae mse crps fair_crps quantile_score brier fair_brier ignorance rps fair_rps".split()


def verify(name: str, how: str, granularity: str, against: str, quantiles=()) -> list:
    series = observed[name].to_series()
    values = window_values(series, granularity, how).to_dict()
    BY_KEY[granularity] = {}
    for day in values:
        BY_KEY[granularity].setdefault(key_of(day, granularity), []).append(day)
    cases: dict = {}
    for year in YEARS:
        run = ds[name].sel(time=str(year)).isel(time=slice(0, DAYS))
        start = pd.Timestamp(f"{year}-02-01")
        members = window_values(run.transpose("time", "number").to_pandas(), granularity, how)
        for first, row in members.iterrows():
            days = (first - start).days
            if first not in values or (granularity == "daily" and days % 25 != 0):
                continue
            lead = {"daily": days, "weekly": days // 7, "monthly": months_between(start, first)}[granularity]
            samples = climate_samples(values, first, granularity)
            if against == "climatology":
                reference = samples
            else:
                length = {"daily": 1, "weekly": 7}.get(granularity) or first.days_in_month
                before = series[(series.index < start) & (series.index >= start - pd.Timedelta(days=length))]
                reference = np.array([getattr(before, how)()])
            limits = np.quantile(samples, [1 / 3, 2 / 3, 0.9])
            cases.setdefault(lead, []).append((row.to_numpy(), values[first], reference, limits))
    rows = []
    for lead, found in cases.items():
        y = np.array([each[1] for each in found])
        limits = np.array([each[3] for each in found])
        both = []
        for which in (0, 2):
            # The number of samples differs by a year where the history ends.
            sizes = sorted({len(each[which]) for each in found})
            if len(sizes) > 1:
                both.append(None)
                continue
            members = np.array([each[which] for each in found])
            hot = (
                (np.round(members, 9) > np.round(limits[:, 2:], 9)).sum(axis=1),
                (np.round(y, 9) > np.round(limits[:, 2], 9)).astype(float),
            )
            both.append(forecast_scores(members, y, {">q90": hot}, limits[:, :2], quantiles))
        own, other = both
        for (score, event), value in own.items():
            row = {"lead": lead, "cases": len(y), "score": score, "of": event, "value": value}
            if other is not None:
                row["reference"] = other.get((score, event))
                if score in WITH_SKILL and row["reference"]:
                    row["skill"] = 1 - value / row["reference"]
            rows.append(row)
    return rows


write_files()
results = {
    f"{name} {granularity} {against}": verify(name, how, granularity, against, (0.1, 0.5))
    for name, how, granularity, against in [
        ("t2m", "mean", "monthly", "climatology"),
        ("precip", "sum", "monthly", "persistence"),
        ("precip", "sum", "weekly", "climatology"),
        ("t2m", "mean", "weekly", "persistence"),
        ("precip", "sum", "daily", "climatology"),
    ]
}

def plain(value):
    return None if value is None or (isinstance(value, float) and not np.isfinite(value)) else value


print(
    json.dumps(
        {
            "results": {
                key: [
                    {
                        name: plain(float(value)) if isinstance(value, (float, np.floating)) else value
                        for name, value in row.items()
                    }
                    for row in rows
                ]
                for key, rows in results.items()
            },
        }
    )
)
