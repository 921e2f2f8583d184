import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { gridEnsemble } from '../../../src/files/cf/index.js';
import { formatDate } from '../../../src/period/day.js';
import { dailyValues, valuesOfBlocks } from './daily-values.js';
import { coordinates, type MemoryArray, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const TIME = { units: 'days since 2022-10-02' };
const NONE = Number.NaN;
const all = { init: 'all' } as const;
const range = (length: number) => Array.from({ length }, (_, i) => i);

function lead(values: readonly number[], units = 'days'): MemoryArray {
  return {
    ...{ dimensions: { lead: values.length }, values },
    attributes: { units, standard_name: 'forecast_period' },
  };
}

function runs(values: readonly number[], units = TIME.units): MemoryArray {
  return {
    ...{ dimensions: { time: values.length }, values },
    attributes: { units, standard_name: 'forecast_reference_time' },
  };
}

/** An array of temperatures that are equal to their index. */
function counted(dimensions: Record<string, number>): MemoryArray {
  const values = range(Object.values(dimensions).reduce((product, n) => product * n, 1));
  return { type: 'float64', dimensions, values, attributes: { units: 'degC' } };
}

describe('several runs with init: all', () => {
  const { lat, lon } = coordinates({ lat: [1, 2], lon: [3] }, TIME);
  const file = (dimensions: Record<string, number>) =>
    memoryFile({ time: runs([2, 0]), lead: lead(range(3)), lat, lon, t2m: counted(dimensions) });
  const fields = { time: 2, number: 2, lead: 3, lat: 2, lon: 1 };
  // By member, cell and day.
  const expected = [
    [12, 13],
    [18, 19],
    [0, 1],
    [6, 7],
  ].map((cells, m) =>
    cells.map((first) =>
      m < 2 ? [first, first + 2, first + 4, NONE, NONE] : [NONE, NONE, first, first + 2, first + 4],
    ),
  );

  it('are one ensemble, whose members are those of each run in the order of time', async () => {
    const ensemble = await gridEnsemble(file(fields), all);
    expect(ensemble.members).toEqual([
      ...['2022-10-02T00:00Z 0', '2022-10-02T00:00Z 1', '2022-10-04T00:00Z 0', '2022-10-04T00:00Z 1'],
    ]);
    expect([formatDate(ensemble.firstDay), ensemble.days]).toEqual(['2022-10-02', 5]);
    expect(await dailyValues(ensemble, core)).toEqual(expected);
    expect(await dailyValues(ensemble, core, { bytes: 800, cuts: [1, 2, 3, 4] })).toEqual(expected);
  });

  it('are read in any block', async () => {
    const ensemble = await gridEnsemble(file(fields), all);
    for (const block of [
      { cell: 1, cells: 1, day: 0, days: 2 },
      { cell: 0, cells: 2, day: 1, days: 3 },
    ]) {
      const values = await valuesOfBlocks(ensemble, core, [block]);
      for (const [m, cells] of expected.entries()) {
        for (const [c, days] of cells.entries()) {
          const isIn = (d: number) => c >= block.cell && d >= block.day && d < block.day + block.days;
          for (const [d, value] of days.entries()) expect(values[m][c][d]).toBe(isIn(d) ? value : undefined);
        }
      }
    }
    await expect(ensemble.read({ cell: 0, cells: 3, day: 0, days: 1 }, core)).rejects.toMatchObject({ tag: 'option' });
  });

  it('are read from series as from fields', async () => {
    const ensemble = await gridEnsemble(file({ time: 2, number: 2, lat: 2, lon: 1, lead: 3 }), all);
    const values = await dailyValues(ensemble, core);
    expect(values[0]).toEqual([
      [12, 13, 14, NONE, NONE],
      [15, 16, 17, NONE, NONE],
    ]);
    expect(values[2]).toEqual([
      [NONE, NONE, 0, 1, 2],
      [NONE, NONE, 3, 4, 5],
    ]);
  });

  it('take the memory of a block, and once that of a run while they are read', async () => {
    const [cells, members] = [64, 5];
    const lat = { ...coordinates({ lat: range(cells) }, TIME).lat };
    const t2m = counted({ time: 4, number: members, lead: 8, lat: cells });
    const many = memoryFile({ time: runs(range(4)), lead: lead(range(8)), lat, lon: { ...lon, values: [0] }, t2m });
    const ensemble = await gridEnsemble(many, all);
    const bytes = 40_000;
    const blocks = ensemble.blocks(bytes, range(11));
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) {
      const mark = core.memory.mark();
      await ensemble.read(block, core);
      const ofMember = 8 * block.cells * block.days;
      expect((4 * members + members) * ofMember).toBeLessThanOrEqual(bytes);
      expect(core.memory.mark() - mark).toBeLessThan(4 * members * (ofMember + 128));
      core.memory.release(mark);
    }
  });

  it('leave no memory in use where reading fails', async () => {
    const tp = {
      ...{ dimensions: { time: 2, number: 2, lead: 3 }, values: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 5, 2] },
      attributes: { units: 'mm' },
    };
    const amounts = memoryFile({ time: runs([0, 1]), lead: lead(range(3)), tp });
    const ensemble = await gridEnsemble(amounts, { ...all, accumulation: 'since-start' });
    const mark = core.memory.mark();
    // The message names the run and the member.
    await expect(dailyValues(ensemble, core)).rejects.toThrow(/amounts fall at .*member 2022-10-03T00:00Z 1/);
    expect(core.memory.mark()).toBe(mark);
  });

  it('name the run and the member of a value', async () => {
    const { field } = await (await gridEnsemble(file(fields), all)).read({ cell: 0, cells: 2, day: 2, days: 3 }, core);
    expect(field.place?.(3, 3)).toMatchObject({
      column: 't2m (member 2022-10-04T00:00Z 1, 2022-10-05, latitude 2, longitude 3)',
    });
  });

  it('count amounts from the start of each run', async () => {
    const tp = { dimensions: { time: 2, lead: 4 }, values: [0, 1, 3, 6, 0, 10, 30, 60], attributes: { units: 'mm' } };
    const ensemble = await gridEnsemble(memoryFile({ time: runs([0, 1]), lead: lead(range(4)), tp }), {
      ...{ ...all, accumulation: 'since-start', stamps: 'end' },
    });
    expect(ensemble.members).toEqual(['2022-10-02T00:00Z', '2022-10-03T00:00Z']);
    expect(await dailyValues(ensemble, core)).toEqual([[[1, 2, 3, NONE]], [[NONE, 10, 20, 30]]]);
  });

  it('must seem to count amounts in the same way', async () => {
    const perStep = range(40).map((step) => (step % 7 < 3 ? 2 + (step % 5) : 0));
    const growing = perStep.map((_, step) => perStep.slice(0, step + 1).reduce((sum, value) => sum + value, 0));
    const hours = lead(
      range(40).map((step) => 3 * step + 3),
      'hours',
    );
    const of = (values: number[]) =>
      memoryFile({
        ...{ time: runs([0, 1]), lead: hours },
        tp: { dimensions: { time: 2, lead: 40 }, values, attributes: { units: 'mm', GRIB_stepType: 'accum' } },
      });
    await expect(gridEnsemble(of([...perStep, ...growing]), all)).rejects.toMatchObject({
      ...{ tag: 'option', problem: 'runs seem to count amounts in different ways' },
      received: 'per-step, since-start',
    });
    expect((await gridEnsemble(of([...growing, ...growing.map(() => 0)]), all)).accumulation).toBe('since-start');
  });

  it('are left out without a complete day, and a note names them', async () => {
    const hours = lead([0, 6, 12, 18], 'hours');
    const time = runs([0, 12, 24], 'hours since 2022-10-02');
    const ensemble = await gridEnsemble(memoryFile({ time, lead: hours, t2m: counted({ time: 3, lead: 4 }) }), all);
    expect(ensemble.members).toEqual(['2022-10-02T00:00Z', '2022-10-03T00:00Z']);
    expect(ensemble.conversions[1]).toBe('run 2022-10-02T12:00Z has no complete day, and is left out');
    const late = memoryFile({ time: runs([0.5, 1.5]), lead: hours, t2m: counted({ time: 2, lead: 4 }) });
    await expect(gridEnsemble(late, all)).rejects.toMatchObject({ problem: 'no UTC day is complete' });
  });

  it('occur once each, with a time', async () => {
    const t2m = counted({ time: 2, lead: 3 });
    const twice = memoryFile({ time: runs([7, 7]), lead: lead(range(3)), t2m });
    await expect(gridEnsemble(twice, all)).rejects.toMatchObject({
      ...{ tag: 'data', problem: 'a run occurs twice', received: '2022-10-09T00:00:00Z' },
    });
    await expect(gridEnsemble(memoryFile({ lead: lead(range(3)), t2m }), all)).rejects.toMatchObject({
      problem: 'dimension time has no times',
    });
  });

  it('of which there is one only are that run', async () => {
    const one = memoryFile({ time: runs([0]), lead: lead(range(3)), t2m: counted({ time: 1, lead: 3 }) });
    const ensemble = await gridEnsemble(one, all);
    expect(ensemble.members).toEqual(['0']);
    expect(ensemble.metadata.get('init_time')).toBe('2022-10-02T00:00:00Z');
  });
});
