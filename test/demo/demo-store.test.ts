import type { Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { type DemoFile, demoStore } from '../../src/demo/index.js';
import { dayNumber } from '../../src/period/day.js';

const DATE = dayNumber(2026, 3, 2);
const store = demoStore();

const forecast = (horizon: string, variable: string, fine = false) =>
  store.forecasts.find((file) => file.horizon === horizon && file.variable === variable && file.fine === fine)!.load();
const history = (files: readonly DemoFile[], variable: string) =>
  files.find((file) => file.variable === variable)!.load();

/** Values of column `name`. */
const column = (table: Table, name: string) => table.getChild(name)!.toArray() as Float32Array;
const memberColumns = (table: Table) => table.schema.names.slice(3).map((name) => column(table, String(name)));
/** Arrow gives dates as milliseconds. */
const days = (table: Table) => [...new Set(column(table, 'date'))].map((date) => date / 86_400_000);
const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const products = (x: ArrayLike<number>, y: ArrayLike<number>, mx: number, my: number) =>
    Array.from(x).reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0);
  return products(a, b, meanA, meanB) / Math.sqrt(products(a, a, meanA, meanA) * products(b, b, meanB, meanB));
}

/** The values of one place of a table of a history, by its index. */
const seriesOf = (table: Table, place: number) => {
  const count = days(table).length;
  return column(table, 'member_00').subarray(place * count, (place + 1) * count);
};

describe('demoStore', () => {
  it('has 15 days of 31 members, 46 of 31 and 215 of 51, from the given day on, on 7 by 7 points', async () => {
    const shapes = [];
    for (const horizon of ['short-term', 'subseasonal', 'seasonal']) {
      const table = await forecast(horizon, 'temp_mean');
      const span = days(table);
      shapes.push([span.length, table.numCols - 3, table.numRows / span.length, span[0]]);
    }
    expect(shapes).toEqual([
      [15, 31, 49, DATE],
      [46, 31, 49, DATE],
      [215, 51, 49, DATE],
    ]);
    const smaller = demoStore({ seasonalMembers: 31, initDate: dayNumber(2025, 7, 1) });
    const seasonal = await smaller.forecasts.find((file) => file.horizon === 'seasonal')!.load();
    expect([seasonal.numCols - 3, seasonal.schema.metadata.get('init_time')]).toEqual([31, '2025-07-01T00:00:00Z']);
  });

  it('covers 36.5 to 38.0 N and 80.5 to 79.0 W by quarters of a degree, and a 1 km patch around 37.30 N 79.84 W', async () => {
    const { latitude, longitude } = store.grid;
    expect([Math.min(...latitude), Math.max(...latitude), Math.min(...longitude), Math.max(...longitude)]).toEqual([
      36.5, 38, -80.5, -79,
    ]);
    const fine = await forecast('short-term', 'temp_mean', true);
    const north = [...new Set(column(fine, 'latitude'))];
    const east = [...new Set(column(fine, 'longitude'))];
    expect([north.length, east.length]).toEqual([9, 9]);
    expect(north[1] - north[0]).toBeCloseTo(1 / 120, 5);
    expect(Math.abs(north[4] - 37.3)).toBeLessThan(1 / 240);
    expect(Math.abs(east[4] - -79.84)).toBeLessThan(1 / 240);
  });

  it('has each variable where it is available: no derived one, gusts to lead 9, at 1 km only what is downscalable', async () => {
    const slugs = (horizon: string, fine: boolean) =>
      store.forecasts.filter((file) => file.horizon === horizon && file.fine === fine).map(({ variable }) => variable);
    const basic = ['temp_mean', 'temp_min', 'temp_max', 'precipitation', 'relative_humidity', 'wind_speed'];
    expect(slugs('short-term', false)).toEqual([...basic, 'wind_speed_max', 'wind_gust_max', 'solar_radiation']);
    expect(slugs('seasonal', false)).toEqual([...basic, 'solar_radiation']);
    expect(slugs('subseasonal', true)).toEqual(['temp_mean', 'temp_min', 'temp_max', 'solar_radiation']);
    expect(store.history.analysis).toHaveLength(9);
    expect(store.history['fine-reanalysis']).toHaveLength(4);
    const gusts = memberColumns(await forecast('short-term', 'wind_gust_max'));
    for (const values of gusts) {
      values.forEach((value, row) => {
        expect(Number.isNaN(value) || value === 0).toBe(row % 15 > 9);
      });
    }
  });

  it('keeps the order of minimum, mean and maximum, of wind, maximum and gust, and all values in bounds', async () => {
    const load = async (slug: string) => memberColumns(await forecast('short-term', slug));
    const [low, mid, high] = [await load('temp_min'), await load('temp_mean'), await load('temp_max')];
    const [wind, most, gust] = [await load('wind_speed'), await load('wind_speed_max'), await load('wind_gust_max')];
    const [rain, humidity, sun] = [
      await load('precipitation'),
      await load('relative_humidity'),
      await load('solar_radiation'),
    ];
    const wrong: string[] = [];
    low.forEach((values, member) => {
      values.forEach((value, row) => {
        if (!(value <= mid[member][row] && mid[member][row] <= high[member][row])) wrong.push('temperature');
        if (!(wind[member][row] >= 0 && wind[member][row] <= most[member][row])) wrong.push('wind');
        if (row % 15 <= 9 && !(most[member][row] <= gust[member][row])) wrong.push('gust');
        if (!(rain[member][row] === 0 || rain[member][row] >= Math.fround(0.1))) wrong.push('rain');
        if (!(humidity[member][row] >= 0 && humidity[member][row] <= 100)) wrong.push('humidity');
        if (!(sun[member][row] > 0 && sun[member][row] < 30)) wrong.push('sun');
      });
    });
    expect(wrong).toEqual([]);
  });

  it('is a field of weather: places next to each other have nearly the same, places far from each other less so', async () => {
    for (const slug of ['temp_mean', 'precipitation']) {
      const table = await history(store.history.reanalysis, slug);
      const near = correlation(seriesOf(table, 24), seriesOf(table, 25));
      const far = correlation(seriesOf(table, 0), seriesOf(table, 48));
      expect(near).toBeGreaterThan(0.95);
      expect(far).toBeLessThan(near);
      expect(far).toBeGreaterThan(0.5);
      expect(seriesOf(table, 24)).not.toEqual(seriesOf(table, 25));
    }
  });

  it('is colder the higher a place lies, 6.5 degrees in a kilometre', async () => {
    const table = await forecast('seasonal', 'temp_mean');
    const { metres, latitude } = store.grid;
    const ofPlace = (place: number) => mean(column(table, 'member_00').subarray(place * 215, (place + 1) * 215));
    // Two places of one latitude: 36.5 N.
    expect(latitude[0]).toBe(latitude[6]);
    expect(ofPlace(6) - ofPlace(0)).toBeCloseTo(0.0065 * (metres[0] - metres[6]), 0);
    expect(metres[0] - metres[6]).toBeGreaterThan(200);
  });

  it('has a reanalysis from 1993 to six days before the forecasts and an analysis to the day before, which overlap', async () => {
    const span = async (files: readonly DemoFile[]) => {
      const all = days(await history(files, 'temp_max'));
      return [all[0], all[all.length - 1]];
    };
    expect(await span(store.history.reanalysis)).toEqual([dayNumber(1993, 1, 1), DATE - 6]);
    expect(await span(store.history.analysis)).toEqual([DATE - 60, DATE - 1]);
    expect(await span(store.history['fine-analysis'])).toEqual([DATE - 60, DATE - 1]);
    const [old, recent] = [
      seriesOf(await history(store.history.reanalysis, 'temp_mean'), 0),
      seriesOf(await history(store.history.analysis, 'temp_mean'), 0),
    ];
    // The same weather in another system.
    expect(recent[54] - old[old.length - 1]).toBeCloseTo(0.2, 1);
  });

  it('has forecasts of the climate of its history: seasonal members fall into each tercile of July', async () => {
    const past = seriesOf(await history(store.history.reanalysis, 'temp_mean'), 24);
    const julies = Array.from({ length: 30 }, (_, year) => {
      const from = dayNumber(1993 + year, 7, 1) - dayNumber(1993, 1, 1);
      return mean(past.subarray(from, from + 31));
    }).sort((a, b) => a - b);
    const table = await forecast('seasonal', 'temp_mean');
    const from = 24 * 215 + dayNumber(2026, 7, 1) - DATE;
    const members = memberColumns(table).map((values) => mean(values.subarray(from, from + 31)));
    const below = members.filter((value) => value < julies[10]).length / members.length;
    const above = members.filter((value) => value > julies[20]).length / members.length;
    expect(below).toBeGreaterThan(0.1);
    expect(above).toBeGreaterThan(0.1);
    expect(1 - below - above).toBeGreaterThan(0.1);
  });

  it('gives the same values for the same options, others for another date, and other models at each horizon', async () => {
    const rain = async (date: number, horizon: string) => {
      const { forecasts } = demoStore({ initDate: date });
      const table = await forecasts.find((file) => file.horizon === horizon && file.variable === 'temp_mean')!.load();
      return [...column(table, 'member_03').subarray(0, 15)];
    };
    expect(await rain(DATE, 'short-term')).toEqual(await rain(DATE, 'short-term'));
    expect(await rain(DATE + 1, 'short-term')).not.toEqual(await rain(DATE, 'short-term'));
    expect(await rain(DATE, 'subseasonal')).not.toEqual(await rain(DATE, 'short-term'));
  });

  it('rejects a date with less than a year of history before it, and invalid numbers of members', () => {
    expect(() => demoStore({ initDate: dayNumber(1993, 12, 31) })).toThrow(
      'initDate: leaves no history before it; received "1993-12-31"; allowed: 1994-01-01 or later',
    );
    expect(() => demoStore({ seasonalMembers: 0 })).toThrow('members: is not an integer in range; received 0');
  });
});
