import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { gridEnsemble, tableAtPoint } from '../../../src/files/cf/index.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { coordinates, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const range = (length: number) => Array.from({ length }, (_, i) => i);

/** Temperatures in kelvin of two members over 14 days at 3 by 4 cells; with a mask, only the last row is land. */
function temperatures({ hasMask = false, side = [3, 4] } = {}) {
  const [rows, columns] = side;
  const cells = rows * columns;
  const at = { latitude: range(rows).map((i) => 50 + i), longitude: range(columns).map((i) => 8 + i) };
  const mask = {
    dimensions: { latitude: rows, longitude: columns },
    values: Float64Array.from({ length: cells }, (_, cell) => Number(cell >= cells - columns)),
    attributes: { standard_name: 'land_binary_mask', units: '1' },
  };
  return memoryFile({
    ...coordinates({ member: range(2), time: range(14), ...at }, { units: 'days since 2026-03-02' }),
    t2m: {
      type: 'float32',
      dimensions: { member: 2, time: 14, latitude: rows, longitude: columns },
      values: Float32Array.from({ length: 2 * 14 * cells }, (_, i) => 273.15 + i),
      attributes: { units: 'K', standard_name: 'air_temperature' },
    },
    ...(hasMask && { lsm: mask }),
  });
}

describe('tableAtPoint', () => {
  it('reads the daily values of the nearest cell, in the unit of the variable, for statistics', async () => {
    const mark = core.memory.mark();
    const { table, notes } = await tableAtPoint(core, temperatures(), {
      variable: 'temp_mean',
      point: { latitude: 51.2, longitude: 9.9 },
    });
    expect(core.memory.mark()).toBe(mark);
    expect(notes.join()).toContain('K to degC');
    expect([table.numRows, table.getChild('latitude')?.get(0), table.getChild('longitude')?.get(13)]).toEqual([
      14, 51, 10,
    ]);
    // Row 1, column 2 of 12 cells; the second member is 14 days later.
    const members = ['member_00', 'member_01'].map((name) => [...(table.getChild(name) ?? [])]);
    expect(members.map((values) => values.map(Math.round))).toEqual(
      [0, 14].map((from) => range(14).map((day) => (from + day) * 12 + 6)),
    );
    const weekly = statistics(core, table, { variable: 'temp_mean', granularity: 'weekly' });
    expect([...(weekly.getChild('mean') ?? [])].map(Number).map(Math.round)).toEqual([126, 210]);
  });

  it('gives the same values where several read at once on one core, and begin when others have ended', async () => {
    /** The file, whose reads are over some turns of the event loop after they gave their values. */
    const slow = (turns: number) => {
      const file = temperatures();
      const array = file.arrays.get('t2m')!;
      const read: typeof array.read = async (box, into) => {
        const absent = await array.read(box, into);
        for (let turn = 0; turn < turns; turn++) await new Promise((done) => setImmediate(done));
        return absent;
      };
      return { ...file, arrays: new Map([...file.arrays, ['t2m', { ...array, read }]]) };
    };
    const points = range(8).map((i) => ({ latitude: 50 + (i % 3), longitude: 8 + (i % 4) }));
    const read = async (i: number, turns: number) => {
      const { table } = await tableAtPoint(core, slow(turns), { variable: 'temp_mean', point: points[i] });
      return table.toArray().map(String);
    };
    const expected = [];
    for (const i of points.keys()) expected.push(await read(i, 0));
    const mark = core.memory.mark();
    const together = [read(0, 1), read(1, 60)];
    await together[0];
    together.push(...range(6).map((k) => read(2 + k, [2, 40, 1, 17, 9, 30][k])));
    expect(await Promise.all(together)).toEqual(expected);
    expect(core.memory.mark()).toBe(mark);
  });

  it('takes the nearest cell of land where the file has a mask', async () => {
    const point = { latitude: 51.2, longitude: 9.9 };
    const { table } = await tableAtPoint(core, temperatures({ hasMask: true }), { variable: 'temp_mean', point });
    expect([table.getChild('latitude')?.get(0), table.getChild('longitude')?.get(0)]).toEqual([52, 10]);
  });

  it('needs no point where there is one place, and one where there are several', async () => {
    const { table } = await tableAtPoint(core, temperatures({ side: [1, 1] }), { variable: 'temp_mean' });
    expect(table.numRows).toBe(14);
    await expect(tableAtPoint(core, temperatures(), { variable: 'temp_mean' })).rejects.toThrow(
      'has several places; allowed: the choice of one by a point',
    );
    await expect(tableAtPoint(core, temperatures(), { point: { latitude: 10, longitude: 9 } })).rejects.toThrow('grid');
    await expect(tableAtPoint(core, temperatures(), { points: [] } as never)).rejects.toThrow('points');
    await expect(tableAtPoint({} as Core, temperatures())).rejects.toThrow('core');
    await expect(tableAtPoint(core, Promise.resolve(temperatures()) as never)).rejects.toThrow(
      'file: cannot be used; received a Promise; allowed: what `await openArrays(...)` gives',
    );
    expect((await gridEnsemble(temperatures())).cells).toBe(12);
  });
});
