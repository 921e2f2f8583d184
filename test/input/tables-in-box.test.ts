import { beforeAll, describe, expect, it } from 'vitest';
import { type EnsembleField, memberColumns } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { CellsInBox } from '../../src/ensemble/cells-in-box.js';
import { TableStatistics } from '../../src/input/statistics-of-input.js';
import { type LongRow, longInput } from './long-input.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const PLACES = [0, 1, 2, 3, 4, 5];
const DAYS = [0, 1, 2];
const value = (place: number, day: number, member: number) => 100 * place + 10 * day + member;
const row = (place: number, day: number, member: number): LongRow => ({
  ...{ place, day, member, value: value(place, day, member) },
});
/** Places are a quarter of a degree apart, from 50 degrees north southwards. */
const bbox = { south: 49.2, west: 7, north: 49.6, east: 9 };

describe('a box of a long table', () => {
  it.each([
    ['by place', PLACES.flatMap((place) => DAYS.flatMap((day) => [1, 2].map((member) => row(place, day, member))))],
    ['by day', DAYS.flatMap((day) => PLACES.flatMap((place) => [1, 2].map((member) => row(place, day, member))))],
  ])('has the places within it, of rows %s', async (_, rows) => {
    const { input, notices } = await longInput(rows, 7);
    const request = { statistics: { variable: 'precipitation', quantiles: [0.5] }, values: { bbox } } as const;
    const results: unknown[] = [];
    for await (const table of new TableStatistics(core, input, request).tables())
      for (const { latitude, mean } of table.toArray()) results.push([latitude, mean]);
    expect(results).toEqual([2, 3].flatMap((place) => DAYS.map((day) => [50 - place / 4, value(place, day, 1.5)])));
    expect(notices.map(({ text }) => text)).toContain(
      '2 of 6 cells are within latitude 49.2 to 49.6, longitude 7 to 9',
    );
    const nowhere = { ...request, values: { bbox: { ...bbox, south: 0, north: 10 } } };
    const none = new TableStatistics(core, (await longInput(rows, 7)).input, nowhere).tables();
    await expect(none.next()).rejects.toMatchObject({
      allowed: 'a box with cells, which are at latitude 48.75 to 50, longitude 8 to 8',
    });
  });
});

describe('cells of an ensemble within a box', () => {
  const field = (order: EnsembleField['order']): EnsembleField => ({
    ...{ type: 'float64', order, firstDay: 0, days: 2, cells: 3 },
    members: memberColumns(Float64Array.from([0, 1, 2, 3, 4, 5]), 6),
  });
  const latitude = Float64Array.of(0, 10, 20);
  const select = (order: EnsembleField['order'], south: number) => {
    const cells = new CellsInBox({ south, west: 0, north: 30, east: 10 }, 'test');
    const parts = [{ field: field(order), latitude, longitude: Float64Array.of(5, 5, 5) }];
    return cells.select({ variable: undefined, units: undefined, metadata: new Map(), parts });
  };

  it('have their values and places, in either order of values', () => {
    for (const [order, values, rows] of [
      ['day-fastest', [2, 3, 4, 5], [3, 4, 5, 6]],
      ['cell-fastest', [1, 4, 2, 5], [2, 5, 3, 6]],
    ] as const) {
      const [part] = select(order, 10)?.parts ?? [];
      expect([...part.field.members[0].chunks[0].values]).toEqual(values);
      expect([...part.latitude]).toEqual([10, 20]);
      expect([part.field.order, part.field.cells]).toEqual(['day-fastest', 2]);
      expect(rows.map((_, at) => part.field.place?.(0, at))).toEqual(rows.map((number) => ({ row: number })));
    }
  });

  it('are not copied where all are within it', () => {
    const [part] = select('cell-fastest', 0)?.parts ?? [];
    expect(part.latitude).toBe(latitude);
    expect(select('cell-fastest', 25)).toBeUndefined();
  });
});
