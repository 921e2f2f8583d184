import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { dailyEnsembleOfTable } from '../../src/input/daily-ensembles.js';
import type { Notice } from '../../src/input/notice.js';
import { TableStatistics } from '../../src/input/statistics-of-input.js';
import { statistics } from '../../src/statistics/statistics.js';
import { withMetadata } from '../../src/table/arrow/with-metadata.js';
import { seeded } from '../reference/fields.js';
import { collected, failureOf, rowsOf } from './location-tables.js';
import { inputOfTables, type LongRow, longInput, longTable } from './long-input.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const UNITS = { units: 'mm' };
const random = seeded(5);
const rows: (LongRow & { readonly member: number })[] = [];
for (let place = 0; place < 6; place++)
  for (let day = 0; day < 15; day++)
    for (let member = 0; member < 4; member++)
      rows.push({ place, day, member, value: Math.round(random() * 99) / 10, cells: UNITS });

const REQUEST = { variable: 'precipitation', granularity: 'weekly', partial: true } as const;

async function computed(given: readonly LongRow[], size: number) {
  const { input, notices } = await longInput(given, size);
  const statistics = new TableStatistics(core, input, { statistics: REQUEST, values: {} });
  return { tables: await collected(statistics.tables()), notices };
}

const by = (key: (row: (typeof rows)[number]) => number) => [...rows].sort((a, b) => key(a) - key(b));
const shuffledPlaces = [3, 0, 5, 1, 4, 2];

describe('a long table that comes in parts', () => {
  it.each<[string, readonly LongRow[]]>([
    ['by location', rows],
    ['by location, of each member the days', by(({ place, member, day }) => place * 1e4 + member * 100 + day)],
    ['by location in another order', by(({ place, day }) => shuffledPlaces[place] * 100 + day)],
    ['by day', by(({ day, place }) => day * 100 + place)],
    ['by member', by(({ member, place }) => member * 100 + place)],
    ['by location, then by day', [...rows.slice(0, 180), ...[...rows.slice(180)].sort((a, b) => a.day - b.day)]],
    ['with a member that begins later', rows.filter(({ place, member }) => place > 2 || member !== 3)],
    ['with a location that goes on later', [...rows.slice(0, 30), ...rows.slice(60), ...rows.slice(30, 60)]],
  ])('has the statistics of all rows together: rows %s', async (_, given) => {
    const expected = rowsOf([statistics(core, await longTable(given), REQUEST)]);
    for (const size of [7, 61, 240, 1000]) {
      const { tables, notices } = await computed(given, size);
      expect(rowsOf(tables)).toEqual(expected);
      expect(notices).toEqual([]);
    }
  });

  it.each([
    ['dry at the first locations, and growing at the others', 3, true],
    ['growing at the first locations, and falling at the others', 0, false],
  ])('warns of amounts that never fall at any location: %s', async (_, firstGrowing, isWarned) => {
    const given: LongRow[] = [];
    for (let place = 0; place < 6; place++)
      for (let day = 0; day < 40; day++)
        for (let member = 0; member < 2; member++) {
          const isGrowing = place >= firstGrowing && place < firstGrowing + 3;
          const value = isGrowing ? 1 + day * 2.5 + member : isWarned ? 0 : (day * 7) % 5;
          given.push({ place, day, member, value, cells: UNITS });
        }
    for (const size of [70, 1000]) {
      const { notices } = await computed(given, size);
      expect(notices.map(({ text }) => /never fall/.test(text))).toEqual(isWarned ? [true] : []);
    }
  });

  it.each([
    ['one of many members falls', (day: number, member: number) => (member === 39 && day === 20 ? 0 : day), false],
    [
      'a small amount falls by less than the packing of large ones moves it',
      (day: number, member: number) => (member === 39 ? 48 * day : day === 30 ? 5.5 : day / 5),
      true,
    ],
  ])('warns of amounts that never fall, whichever members show it: %s', async (_, amount, isWarned) => {
    const given: LongRow[] = [];
    for (let day = 0; day < 40; day++)
      for (let member = 0; member < 40; member++)
        given.push({ place: 0, day, member, value: amount(day, member), cells: UNITS });
    const { notices } = await computed(given, 10_000);
    expect(notices.some(({ text }) => /never fall/.test(text))).toBe(isWarned);
  });

  it.each([
    ['in a run', '2026-03-02', 12, 0, true],
    ['in a run, of too few days', '2026-03-02', 8, 0, false],
    ['in a run, but for one day', '2026-03-02', 12, 11, false],
    ['without a run', undefined, 12, 0, false],
  ])('warns of amounts that never fall over fewer days, as of arrays: %s', async (_, start, days, dry, isWarned) => {
    const given: LongRow[] = [];
    const cells = start === undefined ? UNITS : { ...UNITS, init_time: start };
    for (let place = 0; place < 3; place++)
      for (let day = 0; day < days; day++)
        for (let member = 0; member < 2; member++) {
          const value = dry > 0 && day === dry ? 0 : 1 + day * 2.5 + member;
          given.push({ place, day, member, value, cells });
        }
    const areWarned = ({ notices }: { notices: readonly Notice[] }) =>
      notices.map(({ text }) => /never fall/.test(text));
    for (const size of [24, 1000]) expect(areWarned(await computed(given, size))).toEqual(isWarned ? [true] : []);
    // The metadata of a table state its run, too.
    if (start === undefined) return;
    const stated = withMetadata(
      await longTable(given.map((row) => ({ ...row, cells: UNITS }))),
      new Map([['init_time', start]]),
    );
    const { input, notices } = inputOfTables([stated], async () => stated);
    dailyEnsembleOfTable(stated, input, { values: {} });
    expect(areWarned({ notices })).toEqual(isWarned ? [true] : []);
  });

  it('names the row of a day that comes twice', async () => {
    const given = [...rows.slice(0, 200), rows[197], ...rows.slice(200)];
    const expected = await failureOf(async () => statistics(core, await longTable(given), REQUEST));
    expect(expected).toMatch('row 201, column date: day given twice for member 1 at 49.25, 8');
    expect((await failureOf(() => computed(given, 50))).replace('rain.csv, ', '')).toBe(expected);
  });
});
