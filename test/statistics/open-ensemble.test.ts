import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { blend, blendVariables } from '../../src/blend/index.js';
import { climatology } from '../../src/climate/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { PlaceIndex } from '../../src/ensemble/place-index.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { ensemble } from '../../src/statistics/open-ensemble.js';
import { statistics } from '../../src/statistics/statistics.js';
import { createPool } from '../../src/threads/index.js';
import { daysFrom, messageOf, table } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const locations = [50, 49.5, 49].flatMap((latitude) => [359.5, 0, 0.5].map((longitude) => ({ latitude, longitude })));
const rain = demoTable('precipitation', { locations, days: 28, members: 5 });
const later = demoTable('precipitation', { locations, days: 60, members: 7, seed: 5 });
const past = demoTable('precipitation', { locations, initDate: 8400, days: 3 * 366, members: 1 });
const reference = { granularity: 'monthly', reference: '1993-1995' } as const;

const content = (of: Table) => ({
  rows: of.toArray().map(String),
  fields: of.schema.fields.map(({ name, type }) => `${name} ${type}`),
  metadata: [...of.schema.metadata],
});

describe('an ensemble that is open', () => {
  it('says what was read', () => {
    const opened = ensemble(rain);
    expect(opened.variable?.slug).toBe('precipitation');
    expect(opened.units).toBe('mm');
    expect(opened.members).toHaveLength(5);
    expect([...opened.latitude]).toEqual(locations.map(({ latitude }) => latitude));
    expect(opened.notes).toEqual([]);
  });

  it('gives the results of its table, for all places and the nearest one, whatever is asked', async () => {
    const opened = ensemble(rain);
    const normal = climatology(core, past, reference);
    const pool = await createPool({ threads: 0 });
    for (const point of [undefined, { latitude: 49.6, longitude: -0.1 }, { latitude: 49, longitude: 360 }]) {
      const weekly = { granularity: 'weekly', thresholds: ['>5'], point } as const;
      const expected = content(statistics(core, rain, weekly));
      expect(content(statistics(core, opened, weekly))).toEqual(expected);
      expect(content(await pool.statistics(opened, weekly))).toEqual(expected);
      const windows = { granularity: 'weekly', point } as const;
      expect(content(memberWindows(core, opened, windows))).toEqual(content(memberWindows(core, rain, windows)));
      const against = { climatology: normal, partial: true, anomaly: true, point };
      expect(content(statistics(core, opened, against))).toEqual(content(statistics(core, rain, against)));
    }
    await pool.close();
    const timeline = blend(core, [opened, ensemble(later)]);
    expect(content(timeline.table)).toEqual(content(blend(core, [rain, later]).table));
    const how = { pairBy: 'precipitation' };
    const all = blendVariables(core, [{ precipitation: opened }, { precipitation: ensemble(later) }], how);
    const ofTables = blendVariables(core, [{ precipitation: rain }, { precipitation: later }], how);
    expect(content(all.precipitation.table)).toEqual(content(ofTables.precipitation.table));
    expect(messageOf(() => blend(core, [opened, opened], { variable: 'temp_mean' }))).toMatch(
      'variable: says how to read a table, and this one is open; received "temp_mean"',
    );
    const { mean } = climatology(core, ensemble(past), reference);
    expect(mean).toEqual(normal.mean);
  });

  it('gives the same of one place after the other, for any requests in turn', () => {
    const days = ['2026-03-02', '2026-03-03', '2026-03-04'];
    // Places with other days are other parts, and one has an infinite value.
    const parts = table({
      ...{ latitude: [50, 50, 50, 51, 51, 51, 52, 52], longitude: [5, 5, 5, 5, 5, 5, 5, 5] },
      date: [...days, ...days, ...days.slice(1)],
      member_0: [1, 2, Number.NaN, 4, 5, 6, 7, Number.POSITIVE_INFINITY],
      member_1: [3, 2, 1, 6, Number.NaN, 4, 9, 8],
    });
    const requests = fc.record(
      {
        granularity: fc.constantFrom('daily', 'weekly', 'monthly'),
        quantiles: fc.constantFrom([], [0.5], [0.1, 0.9]),
        thresholds: fc.constantFrom([], ['>3'], ['>3', '<=5']),
        spread: fc.boolean(),
        partial: fc.constant(true),
        window: fc.constantFrom('sum', 'max'),
        endDate: fc.constantFrom('2026-03-03', '2026-03-04'),
        minMemberShare: fc.constantFrom(0.5, 1),
      },
      { requiredKeys: ['window', 'granularity'] },
    );
    const opened = ensemble(parts);
    fc.assert(
      fc.property(requests, fc.constantFrom(50, 51, 52), (request, latitude) => {
        const of = (data: Table | typeof opened) => {
          try {
            return content(statistics(core, data, { ...request, point: { latitude, longitude: 5 } }));
          } catch (error) {
            return String(error);
          }
        };
        expect(of(opened)).toEqual(of(parts));
      }),
      { numRuns: 300, seed: 20_261_128 },
    );
  });

  it('finds the place that a search of all places finds', () => {
    const opened = ensemble(rain);
    const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(degrees(47, 52), degrees(-2, 2), (latitude, longitude) => {
        const of = (data: Table | typeof opened) => () =>
          content(statistics(core, data, { granularity: 'monthly', partial: true, point: { latitude, longitude } }));
        const outcome = (run: () => unknown) => {
          try {
            return run();
          } catch (error) {
            return String(error);
          }
        };
        expect(outcome(of(opened))).toEqual(outcome(of(rain)));
      }),
      { numRuns: 50 },
    );
  });

  it('indexes its places once, when a point is first asked for', () => {
    const nearest = vi.spyOn(PlaceIndex.prototype, 'nearest');
    const opened = ensemble(rain);
    for (const latitude of [49, 49.5]) statistics(core, opened, { point: { latitude, longitude: 0 } });
    expect(new Set(nearest.mock.contexts).size).toBe(1);
    nearest.mockRestore();
  });

  it('is read as its own options say, and by no others', () => {
    const days = { day: daysFrom('2026-03-02', 7), a: [1, 2, 3, 4, 5, 6, 7] };
    const reading = { columns: { date: 'day' }, variable: 'precipitation', source: 'a.csv' };
    const opened = ensemble(table(days), reading);
    expect(statistics(core, opened, { granularity: 'weekly' }).getChild('mean')?.get(0)).toBe(28);
    const { source: _, variable: __, ...readings } = reading;
    const others = { ...readings, variable: 'temp_mean' };
    for (const [name, value] of Object.entries(others)) {
      expect(messageOf(() => statistics(core, opened, { [name]: value }))).toMatch(
        new RegExp(
          `^OptionError ${name}: says how to read a table, and this one is open; .*an option of \`ensemble\`$`,
        ),
      );
    }
    const point = { latitude: 1, longitude: 2 };
    expect(messageOf(() => statistics(core, opened, { point }))).toBe(
      messageOf(() => statistics(core, table(days), { ...reading, point })),
    );
    expect(messageOf(() => statistics(core, opened, { point: { latitude: 100, longitude: 2 } }))).toMatch(
      /^OptionError point: latitude cannot be used/,
    );
  });

  it('is no table that cannot be used, nor options that are none', () => {
    expect(messageOf(() => ensemble({} as never))).toMatch(/^OptionError .*table: cannot be used/);
    expect(messageOf(() => ensemble(core as never, rain as never))).toMatch(/^OptionError table: cannot be used/);
    expect(messageOf(() => ensemble(rain, { granularity: 'weekly' } as never))).toMatch('unknown option');
    expect(messageOf(() => ensemble(rain, { variable: 'rain-ish' }))).toMatch(/^OptionError variable: /);
  });
});
