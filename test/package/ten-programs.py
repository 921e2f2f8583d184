"""What the programs of docs/programs.md print, computed by numpy from the same tables, as CSV in a folder."""

import csv
import datetime
import json
import sys
from collections import defaultdict

import numpy as np

folder = sys.argv[1]


def members(name):
    """Values by place and day: {(latitude, longitude): {date: members}}."""
    places = defaultdict(dict)
    with open(f"{folder}/{name}.csv", encoding="utf8") as file:
        rows = csv.DictReader(file)
        columns = [column for column in rows.fieldnames if column.startswith("member")]
        for row in rows:
            place = (float(row["latitude"]), float(row["longitude"]))
            day = datetime.date.fromisoformat(row["date"][:10])
            places[place][day] = np.array([float(row[column]) for column in columns])
    return places


def windows(days, key, combine):
    """Windows of which all days are there: {key: value of each member}."""
    found = defaultdict(dict)
    for day, values in days.items():
        found[key(day)][day] = values
    full = {}
    for name, inside in found.items():
        first, last = min(inside), max(inside)
        is_whole = key(first - datetime.timedelta(1)) != name and key(last + datetime.timedelta(1)) != name
        if is_whole and len(inside) == (last - first).days + 1:
            full[name] = combine(np.stack(list(inside.values())), axis=0)
    return full


def week(day):
    year, number, _ = day.isocalendar()
    return f"{year}-W{number:02d}"


def month(day):
    return f"{day.year}-{day.month:02d}"


def text(*numbers):
    return " ".join(f"{number:.3f}" for number in numbers)


def nearest(places, latitude, longitude):
    return places[min(places, key=lambda place: (place[0] - latitude) ** 2 + (place[1] - longitude) ** 2)]


lines = {}

weeks = windows(nearest(members("point"), 51.2, 6), week, np.sum)
lines["1"] = [f"{k} {text(v.mean(), np.quantile(v, 0.9), (v > 20).mean())}" for k, v in list(weeks.items())[:2]]

values = (7 * np.arange(14 * 5 * 2) % 12).reshape(2, 7, 5, 2).sum(axis=1)
lines["2"] = ["time station"] + [
    f"2026-W{10 + w} {s} {text(v.mean(), np.quantile(v, 0.9), (v > 38).mean())}"
    for w in (0, 1)
    for s in (0, 1)
    for v in [values[w, :, s]]
]

rain = members("stream")
weeks = windows(rain[(50, 20)], week, np.sum)
key, values = next(iter(weeks.items()))
count = sum(len(windows(days, week, np.sum)) for days in rain.values())
lines["3"] = [f"{count} 20 {key} {text(values.mean(), np.median(values))}"]

weeks = windows(next(iter(members("page").values())), week, np.sum)
lines["4"] = [", ".join(f"{k} {text(v.mean())}" for k, v in weeks.items())]

# Weeks before and after the days on which members go from one horizon to the other.
short, long = (next(iter(members(name).values())) for name in ("short", "long"))
overlap = set(sorted(short)[-3:])
weeks = windows({**long, **short}, week, np.mean)
lines["5"] = [
    f"{k} {text(v.mean(), np.quantile(v, 0.1), np.quantile(v, 0.9))}"
    for k, v in weeks.items()
    if k not in {week(day) for day in overlap}
]

years = windows(next(iter(members("years").values())), month, np.mean)
forecast = windows(next(iter(members("months").values())), month, np.mean)
lines["6"] = []
for key, values in forecast.items():
    normal = np.array([value[0] for name, value in years.items() if name[5:] == key[5:]])
    low, high, rare = np.quantile(normal, [1 / 3, 2 / 3, 0.9])
    below, above = (values < low).mean(), (values > high).mean()
    anomaly = values.mean() - normal.mean()
    lines["6"].append(f"{key} {text(below, 1 - below - above, above, (values > rare).mean(), anomaly)}")

rain = members("threads")
(first, days), (last, others) = min(rain.items()), max(rain.items())
lines["10"] = []
for place, all_days, at in ((first, days, 0), (last, others, -1)):
    key, values = list(windows(all_days, week, np.sum).items())[at]
    lines["10"].append(f"{place[0]:g} {key} {text(values.mean(), np.median(values))}")

print(json.dumps(lines))
