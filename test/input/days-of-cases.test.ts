import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import type { InputRequest } from '../../src/input/input-request.js';
import type { Notice } from '../../src/input/notice.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { allTables } from '../../src/table/build/join-tables.js';
import { casePath } from '../reference/data-folder.js';

const core = await loadCore();

interface Found {
  /** The periods of the first place, and the mean of each, rounded to five decimals. */
  readonly means: ReadonlyMap<string, number | null>;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

type Requested = InputRequest['statistics'] &
  Pick<InputRequest, 'native'> & { readonly values?: InputRequest['values'] };

/** The means of an input that goes wrong, and what is said of it. */
async function meansOf(path: string, { values = {}, native = false, ...statistics }: Requested = {}): Promise<Found> {
  const notices: Notice[] = [];
  const request = { statistics, values, native };
  const [table] = await allTables(statisticsOfInput(core, path, request, (notice) => notices.push(notice)));
  const rows = Array.from(table, (row) => row?.toJSON() ?? {});
  const ofFirst = rows.filter(({ latitude, longitude }) =>
    [latitude === rows[0].latitude, longitude === rows[0].longitude].every(Boolean),
  );
  const textsOf = (kind: Notice['kind']) => notices.filter((each) => each.kind === kind).map(({ text }) => text);
  const rounded = (mean: number | null) => (mean === null ? null : Math.round(mean * 1e5) / 1e5);
  return {
    means: new Map(ofFirst.map(({ period, mean }) => [String(period), rounded(mean)])),
    notes: textsOf('note'),
    warnings: textsOf('warning'),
  };
}

/** A test of an input that goes wrong, skipped where it is absent. */
function itReads(title: string, name: string, test: (path: string) => Promise<void>): void {
  const path = casePath(name);
  it.skipIf(path === undefined)(title, () => test(path as string));
}

const days = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => new Date(Date.parse(from) + i * 86_400_000).toISOString().slice(0, 10));

describe('monthly values without bounds', () => {
  const months = (from: number, count: number, year = 2026) =>
    Array.from({ length: count }, (_, i) => `${year}-${String(from + i).padStart(2, '0')}`);

  itReads(
    'of the Climate Data Store, by forecastMonth, are of their valid times',
    'days/c3s-monthly.nc',
    async (path) => {
      const { means, notes, warnings } = await meansOf(path, { native: true });
      expect([...means.keys()]).toEqual(months(3, 6));
      // 31 days of the mean of five rates.
      expect(means.get('2026-03')).toBeCloseTo(59.68019, 4);
      expect(notes.join()).toContain('monthly values, as stored, each of the month of its time');
      expect(warnings).toEqual([]);
    },
  );

  itReads('of ERA5 are of the months of their times', 'days/era5-monthly.nc', async (path) => {
    const { means } = await meansOf(path, { native: true });
    expect([...means.keys()]).toEqual(months(1, 12, 2024));
    expect(means.get('2024-01')).toBeCloseTo(6.22134, 4);
  });

  itReads('of the IRI are of real months, rates times their days', 'days/iridl-nmme.nc', async (path) => {
    const { means, notes } = await meansOf(path, { native: true });
    expect([...means.keys()]).toEqual([...months(3, 9)]);
    expect(means.get('2026-03')).toBeCloseTo(20.58265, 3);
    expect(notes.join()).toContain('months since 1960-01-01 in calendar 360 of S are months of the real calendar');
  });

  itReads('of the IRI have scales of temperature', 'days/iridl-observed.nc', async (path) => {
    const requested = { native: true, variable: 'temp_mean' } as const;
    const { means } = await meansOf(path, requested);
    expect([...means.keys()]).toEqual([...months(1, 12, 2020), ...months(1, 12, 2021)]);
    expect([means.get('2020-01'), means.get('2021-12')]).toEqual([0, 23]);
    const modelled = await meansOf(path, { ...requested, values: { calendar: '360_day' } });
    expect([...modelled.means.keys()]).toEqual([...means.keys()]);
  });
});

describe('bounds', () => {
  itReads('have units of their own: another epoch', 'days/bounds-of-another-epoch.nc', async (path) => {
    expect([...(await meansOf(path)).means.keys()]).toEqual(days('2026-03-02', 28));
  });

  itReads('have units of their own: hours', 'days/bounds-in-hours.nc', async (path) => {
    expect([...(await meansOf(path)).means.keys()]).toEqual(days('2026-03-02', 28));
  });

  itReads('decide which day a value is of', 'days/with-bounds.nc', async (path) => {
    const { means, warnings } = await meansOf(path);
    expect([...means.keys()]).toEqual(days('2026-03-02', 28));
    expect(warnings).toEqual([]);
  });

  itReads('beside other times are an error', 'days/times-outside-their-bounds.nc', async (path) => {
    await expect(meansOf(path)).rejects.toThrow(
      'column time: time 1 lies outside its bounds, 2026-06-10T00:00:00Z to 2026-06-11T00:00:00Z in time_bnds',
    );
  });

  itReads('of months by CDO end with the last hour', 'days/cdo-monmean.nc', async (path) => {
    const { means, notes } = await meansOf(path, { native: true });
    expect([...means.keys()]).toEqual(['2026-01', '2026-02']);
    expect(means.get('2026-01')).toBeCloseTo(6.88232, 4);
    expect(notes.join()).toContain(
      'bounds in time_bnds end with the last of several instants: each is taken 1 h longer',
    );
  });

  itReads('of sums by CDO end with the last hour', 'days/cdo-timselsum6.nc', async (path) => {
    const { means } = await meansOf(path);
    expect([...means.keys()]).toEqual(days('2026-03-02', 10));
    expect(means.get('2026-03-02')).toBeCloseTo(6.12692, 4);
  });
});

describe('times', () => {
  itReads('of float32 are rounded to their step, with a note', 'days/float32-days.nc', async (path) => {
    const { means, notes } = await meansOf(path);
    expect([...means.keys()]).toEqual(days('2026-03-02', 28));
    expect(notes.join()).toMatch(/times of time are float32, up to 113 s off: rounded to 1 h/);
  });
});

describe('which end of its step a time stands for', () => {
  itReads('is the end by words and step types, beside instants', 'days/end-of-step-rates.zarr', async (path) => {
    const point = { point: { latitude: 50.25, longitude: 7 } };
    const rain = await meansOf(path, { variable: 'precipitation', ...point });
    expect([rain.means.get('2026-03-02'), rain.means.get('2026-03-03')]).toEqual([3.28159, 4.41032]);
    expect(rain.warnings).toEqual([]);
    const warmth = await meansOf(path, { variable: 'temp_mean', ...point });
    expect(warmth.means.get('2026-03-02')).toBeCloseTo(10.01775, 4);
    expect(warmth.warnings).toEqual([]);
  });

  itReads(
    'is requested for where metadata are of steps that no longer exist',
    'days/cds-daily-statistics.nc',
    async (path) => {
      await expect(meansOf(path)).rejects.toThrow(
        "stamps: tp has values a day apart at 00 UTC, but metadata of shorter steps (GRIB_stepType accum): nothing shows which end of its day a time stands for; allowed: stamps: 'start' | 'end'",
      );
      const { means } = await meansOf(path, { values: { stamps: 'start' } });
      expect([...means.keys()]).toEqual(days('2024-03-01', 14));
    },
  );

  itReads('is said where bounds are named and absent', 'days/bounds-named-but-absent.nc', async (path) => {
    const { warnings } = await meansOf(path);
    expect(warnings).toEqual([
      'bounds of time are named time_bound, and there is no such array: times of tas are taken for the starts of days; the option stamps decides otherwise',
    ]);
  });

  itReads('is the end of the last 24 hours', 'days/in-the-last-24-hours.nc', async (path) => {
    const { means, warnings } = await meansOf(path);
    expect([means.get('2020-02-01'), warnings]).toEqual([8.632, []]);
  });

  itReads('is the end for names of ERA5, with a warning', 'days/era5-before-2024.nc', async (path) => {
    const { means, warnings } = await meansOf(path, { variable: 'tp' });
    expect(means.get('2023-05-01')).toBeCloseTo(80.5678, 4);
    expect(warnings).toEqual([
      'times of tp are taken for the ends of steps, as ECMWF stamps tp; the option stamps decides otherwise',
    ]);
    const warmth = await meansOf(path, { variable: 't2m' });
    expect([warmth.means.get('2023-05-01'), warmth.warnings]).toEqual([11.42942, []]);
  });

  itReads('is the end for long names of ERA5', 'days/arco-era5.zarr', async (path) => {
    const { means, warnings } = await meansOf(path);
    expect(means.get('2024-03-01')).toBeCloseTo(19.27271, 4);
    expect(warnings).toHaveLength(1);
  });

  for (const name of ['days/wgrib2.nc', 'days/wgrib2-units-mended.nc']) {
    itReads(`is the end as wgrib2 writes verification times: ${name}`, name, async (path) => {
      const { means, warnings } = await meansOf(path);
      expect([...means.entries()][0]).toEqual(['2026-03-02', 2.69]);
      expect(warnings).toHaveLength(1);
    });
  }

  for (const [name, first] of [
    ['science/t_mean.nc', 7.63584],
    ['science/p_amount.nc', 3.40869],
  ] as const) {
    itReads(`is the end where values begin with the first step of a run: ${name}`, name, async (path) => {
      const { means, warnings } = await meansOf(path);
      expect([...means.entries()][0]).toEqual(['2026-03-02', first]);
      expect(warnings.join()).toContain('ends of steps, as they begin 3 h after the start of the run');
    });
  }

  itReads('is not known of means that overlap', 'days/overlapping-means.nc', async (path) => {
    const request = { array: 'sdswrf' };
    await expect(meansOf(path, { variable: 'solar_radiation', values: request })).rejects.toThrow(/means overlap/);
  });

  itReads('is told by GRIB of means that overlap', 'days/overlapping-means.grib2', async (path) => {
    const { means } = await meansOf(path, { variable: 'solar_radiation' });
    expect(means.get('2019-01-02')).toBeCloseTo(8.75625, 4);
  });
});

describe('one instant a day', () => {
  for (const name of ['days/instants-at-midnight.nc', 'days/instants-at-midnight.grib2']) {
    itReads(`is no daily mean, unless the caller insists: ${name}`, name, async (path) => {
      await expect(meansOf(path)).rejects.toThrow('holds one instant a day, which is no daily mean');
      await expect(meansOf(path, { variable: 'temp_max' })).rejects.toThrow(/which is no daily maximum|does not hold/);
      for (const stamps of ['start', 'end'] as const)
        await expect(meansOf(path, { values: { stamps } })).rejects.toThrow(/holds one instant a day/);
      const { means } = await meansOf(path, { values: { stamps: 'instant' } });
      expect(means.get('2026-11-01')).toBeCloseTo(2.85, 5);
    });
  }

  itReads('of several is one', 'days/instants-six-hourly.nc', async (path) => {
    expect((await meansOf(path)).means.get('2026-11-01')).toBeCloseTo(6.85, 5);
  });
});

describe('the dimension of members', () => {
  itReads('is named by the caller where its name does not show it', 'days/member-dimension-record.nc', async (path) => {
    await expect(meansOf(path)).rejects.toThrow("or memberDimension: 'record', if it counts members");
    const { means } = await meansOf(path, { values: { memberDimension: 'record' }, quantiles: [0.5] });
    expect([...means.keys()]).toEqual(days('2026-03-02', 2));
    await expect(meansOf(path, { values: { memberDimension: 'member' } })).rejects.toThrow(
      'memberDimension: the file has no such dimension; received "member"; allowed: record, time, lat, lon',
    );
  });
});

describe('the units of a daily table', () => {
  for (const [name, column, kmh] of [
    ['days/meteostat-km-per-hour.csv', 'wspd', 36],
    ['days/visual-crossing.csv', 'windspeed', 20],
  ] as const) {
    itReads(`that does not state them are said: ${name}`, name, async (path) => {
      const variable = 'wind_speed';
      const { means, warnings } = await meansOf(path, { variable });
      expect(warnings).toEqual([
        `units of ${column} are not stated: taken for m s-1, the unit of wind_speed; the option units states others`,
      ]);
      expect(means.get('2026-03-02')).toBe(kmh);
      const stated = await meansOf(path, { variable, values: { units: 'km h-1' } });
      expect([stated.means.get('2026-03-02'), stated.warnings]).toEqual([Math.round((kmh / 3.6) * 1e5) / 1e5, []]);
    });
  }
});

describe('daily values of another zone', () => {
  for (const name of ['days/cet.nc', 'days/ist.nc', 'days/cet.arrow']) {
    itReads(`are an error that names the option: ${name}`, name, async (path) => {
      await expect(meansOf(path)).rejects.toThrow(
        /daily values of another zone than UTC; .* or the option timeZone, to keep days of that zone/,
      );
    });
  }
});
