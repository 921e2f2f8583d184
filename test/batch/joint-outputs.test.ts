import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computeTogether } from '../../src/batch/joint-outputs.js';
import type { OutputTask } from '../../src/batch/task.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { tableNetcdf } from '../../src/files/cf/table-ensemble.js';
import { gridEnsemble } from '../../src/files/index.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { computeBlocks, planBlocks } from '../../src/input/compute-grid.js';
import { groupGrids } from '../../src/input/grid-groups.js';
import { GridStatistics } from '../../src/input/grid-statistics.js';
import { checkRequest } from '../../src/input/input-request.js';
import type { Granularity } from '../../src/period/period.js';
import { plumecast } from '../cli/run-command.js';
import { coordinates, memoryFile } from '../files/cf/memory-file.js';
import { checksums } from './batch-process.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-joint-outputs-'));
afterAll(() => rmSync(folder, { recursive: true }));
let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const [members, days, rows, width] = [4, 61, 6, 7];
/** Memory for the values of a week, and of all days, in blocks that may have three quarters of it. */
const WEEK = (4 * members * 7 * rows * width) / 0.75;
const maps = [1, 1, rows, width];

/** A grid from Sunday 2026-03-01 on, two complete months, and how often each chunk of its rain is decoded. */
function rainFile(chunk: readonly number[] | undefined) {
  const file = memoryFile({
    ...coordinates(
      {
        time: Array.from({ length: days }, (_, day) => day),
        latitude: Array.from({ length: rows }, (_, row) => 50 - row),
        longitude: Array.from({ length: width }, (_, column) => column),
      },
      { units: 'days since 2026-03-01' },
    ),
    precipitation: {
      ...{ type: 'float32' as const, chunk, attributes: { units: 'mm' } },
      values: Float32Array.from({ length: members * days * rows * width }, (_, i) => (i * 7919) % 101),
      dimensions: { member: members, time: days, latitude: rows, longitude: width },
    },
  });
  const statistics = async (granularity: Granularity) => {
    const request = checkRequest({ statistics: { granularity }, values: {} }, 'test.nc');
    return new GridStatistics(core, await gridEnsemble(file), request, { source: 'test.nc', report: () => {} });
  };
  const decoded = () => [...file.reads.chunks].flatMap(([key, count]) => (key.startsWith('precip') ? [count] : []));
  return { statistics, decoded };
}

const work = (name: string, bytes: number) => ({ core, bytes, results: join(folder, name), progress: () => {} });
const bytesOf = (name: string) => readFileSync(join(folder, name));

/** What computeTogether does for the first of some granularities and the others, and which it leaves. */
async function compute(names: readonly Granularity[], bytes: number, share: OutputTask['share']) {
  const { statistics, decoded } = rainFile(maps);
  const [own, ...siblings] = await Promise.all(names.map(statistics));
  const parts = names.map((granularity) => ({ input: 'test.nc', variable: undefined, granularity }));
  const task: OutputTask = {
    ...{ kind: 'output', parts: [parts[0]], temporary: '', results: '', computed: false, share },
    siblings: parts.slice(1).map((part) => ({ part, results: join(folder, `together-${part.granularity}`) })),
  };
  let apart: readonly number[] = [];
  for (const name of names) rmSync(join(folder, `together-${name}`), { force: true });
  const limits = { bytesAlone: 2 * bytes, minBlocks: 4 };
  const first = work(`together-${names[0]}`, bytes);
  const reply = await computeTogether({ own, siblings }, task, first, limits, (indices) => {
    apart = indices;
  });
  return { reply, apart, decoded: decoded(), own, siblings };
}

async function expectSingleResults(names: readonly Granularity[]): Promise<void> {
  for (const name of names) {
    await computeBlocks(await rainFile(maps).statistics(name), work(`single-${name}`, 1e9));
    expect(bytesOf(`together-${name}`).equals(bytesOf(`single-${name}`))).toBe(true);
  }
}

describe('several outputs of the same grid', () => {
  it('are computed together, each chunk decoded once, where a block holds windows of all', async () => {
    const { reply, apart, decoded } = await compute(['weekly', 'daily'], 1.5 * WEEK, false);
    expect([reply, apart]).toEqual([{ kind: 'computed' }, []]);
    expect(decoded).toHaveLength(members * days);
    expect(Math.max(...decoded)).toBe(1);
    await expectSingleResults(['weekly', 'daily']);
  });

  it('are divided among threads from the same blocks, with the same results', async () => {
    const { reply, own, siblings } = await compute(['daily', 'weekly'], 1.5 * WEEK, true);
    const together = {
      ...work('together-daily', 1.5 * WEEK),
      siblings: [{ statistics: siblings[0], results: join(folder, 'together-weekly') }],
    };
    const blocks = planBlocks(own, together).length;
    expect(reply).toEqual({ kind: 'divided', blocks });
    expect(blocks).toBeGreaterThan(7);
    for (const [from, to] of [
      [3, blocks],
      [0, 3],
    ])
      await computeBlocks(own, together, from, to);
    await expectSingleResults(['daily', 'weekly']);
  });

  it('are computed in turn by a thread alone where windows of several do not fit, but chunks are decoded less', async () => {
    const names = ['monthly', 'weekly', 'daily'] as const;
    const { reply, decoded } = await compute(names, 1.4 * WEEK, 'alone');
    expect(reply).toEqual({ kind: 'computed' });
    const [monthly, weekly] = await Promise.all(names.map(rainFile(maps).statistics));
    const blocks = planBlocks(monthly, { bytes: 2.8 * WEEK });
    const once = new Set(blocks.map(({ cell }) => cell)).size;
    expect(once).toBeGreaterThan(1);
    // Days and weeks once together, and months in blocks of some cells.
    expect(Math.max(...decoded)).toBe(once + 1);
    expect(planBlocks(weekly, { bytes: 2.8 * WEEK }).every(({ cells }) => cells === rows * width)).toBe(true);
    await expectSingleResults(names);
  });

  it('are computed apart where nothing is decoded less, or values are not in chunks', async () => {
    expect(await compute(['weekly', 'monthly'], 1.5 * WEEK, false)).toMatchObject({ reply: undefined, apart: [0] });
    const { statistics } = rainFile(undefined);
    const grids = [await statistics('weekly'), await statistics('daily')];
    expect(groupGrids(grids, { bytes: 1.5 * WEEK }).groups).toHaveLength(2);
  });

  it('are not of the same values where they have other days', async () => {
    const [weekly, daily] = [await rainFile(maps).statistics('weekly'), await rainFile(maps).statistics('daily')];
    expect(weekly.hasValuesOf(daily)).toBe(true);
    const other = { ...daily, ensemble: { ...daily.ensemble, firstDay: daily.ensemble.firstDay + 1 } };
    expect(weekly.hasValuesOf(other as unknown as GridStatistics)).toBe(false);
  });

  it('have the bytes of batches of one granularity each; one without windows fails alone', async () => {
    const locations = [50, 49.5, 49].flatMap((latitude) => [5, 5.5].map((longitude) => ({ latitude, longitude })));
    const rain = demoTable('precipitation', { locations, days: 25, members: 5 });
    await writeNetcdf4(join(folder, 'rain.nc'), tableNetcdf(rain), { deflate: 1 });
    const run = (out: string, granularity: string) => {
      const args = ['batch', 'rain.nc', '--granularity', granularity, '--name', '{granularity}', '--out', out];
      return plumecast([...args, '--format', 'netcdf', '--on-error', 'continue', '--workers', '2'], { cwd: folder });
    };
    const { code, err } = run('all', 'weekly,monthly,daily');
    expect([code, err.match(/^error: .*/gm)]).toEqual([3, [expect.stringMatching(/monthly\.nc: .*no complete month/)]]);
    for (const granularity of ['weekly', 'daily']) {
      expect(run(granularity, granularity).code).toBe(0);
      const name = `${granularity}.nc`;
      expect(checksums(join(folder, 'all'))[name]).toBe(checksums(join(folder, granularity))[name]);
    }
  });
});
