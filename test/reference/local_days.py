"""Days of time zones as pandas makes them (tz_convert, resample), of steps whose values are known by their number.

Takes one argument, JSON: zones, start, end (UTC, the last exclusive), hours (the lengths of steps), and file. The value
of step i is ((i * 7919) % 1009) / 16: an amount that falls evenly, and the mean of its step. Writes to the file, for each zone
and length, the sums and the means of the whole days as float64; prints for each the first date and the number of days, and the
days for which its dates (tz_convert, date) give others than resample.
"""
import json
import sys

import numpy as np
import pandas as pd

requested = json.loads(sys.argv[1])
known = []
with open(requested['file'], 'wb') as out:
    for hours in requested['hours']:
        steps = pd.date_range(requested['start'], requested['end'], freq=f'{hours}h', inclusive='left', tz='UTC')
        values = np.arange(len(steps)) * 7919 % 1009 / 16
        # Clocks of zones are quarters of an hour apart.
        quarters = pd.date_range(steps[0], periods=len(steps) * hours * 4, freq='15min')
        mean = pd.Series(np.repeat(values, hours * 4), quarters)
        for zone in requested['zones']:
            try:
                days = mean.tz_convert(zone).resample('D')
            except Exception as error:
                known.append({'zone': zone, 'hours': hours, 'problem': f'{type(error).__name__}: {error}'})
                continue
            means, sums = days.mean()[1:-1], days.sum()[1:-1] / (hours * 4)
            by_date = mean.groupby(mean.index.tz_convert(zone).tz_localize(None).normalize())
            # Labels of resample may be hours off where midnight is skipped.
            dates = pd.date_range(means.index[0].tz_localize(None).normalize(), periods=len(means))
            of_dates = by_date.mean().reindex(dates)
            sums_of_dates = by_date.sum().reindex(dates) / (hours * 4)
            others = np.flatnonzero(~np.isclose(of_dates.to_numpy(), means.to_numpy(), rtol=0, atol=1e-9))
            known.append({
                **{'zone': zone, 'hours': hours, 'first': str(means.index[0].date()), 'days': len(means)},
                # A date that is skipped has none.
                'others': [
                    [int(i), *(None if np.isnan(of_dates.iloc[i]) else float(of.iloc[i]) for of in (sums_of_dates, of_dates))]
                    for i in others
                ],
            })
            out.write(sums.to_numpy().tobytes())
            out.write(means.to_numpy().tobytes())
print(json.dumps(known))
