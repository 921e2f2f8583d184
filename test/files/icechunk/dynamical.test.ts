import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { gridEnsemble } from '../../../src/files/cf/index.js';
import { tableAtPoint } from '../../../src/files/cf/table-at-point.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { plumecastHere } from '../../cli/run-here.js';
import { serveFolder } from '../zarr/http-server.js';
import { icechunkPythons, jsonOfScript, runScript } from './icechunk-pythons.js';

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const [python] = icechunkPythons('xarray', 'pandas').slice(-1);

const folder = mkdtempSync(join(tmpdir(), 'plumecast-dynamical-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Members of a point by day, as a command writes them. */
async function membersOf(input: string, variable: string, ...options: string[]): Promise<Record<string, number[]>> {
  const out = join(folder, 'days.csv');
  const place = ['--bbox', '58.95,6.45,59.05,6.55', '--quiet'];
  const { err, code } = await plumecastHere('convert', input, out, '--variable', variable, ...place, ...options);
  if (code !== 0) throw new Error(err);
  const [head, ...rows] = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const members = head.flatMap((name, column) => (/member|^m?\d+$/.test(name) ? [column] : []));
  const day = head.findIndex((name) => /date|time/.test(name));
  return Object.fromEntries(rows.map((row) => [row[day], members.map((column) => Number(row[column]))]));
}

describe.skipIf(python === undefined)('a repository with the layout of dynamical.org', () => {
  const path = join(folder, 'gefs.icechunk');
  beforeAll(() => {
    const format = String(python.formats[python.formats.length - 1]);
    runScript(python.program, script('dynamical.py'), [path, format, '3', '2', '20', '20']);
  });

  it('has the days and values that xarray has, on the disk and over HTTP', async () => {
    await using server = await serveFolder(folder);
    for (const run of ['2026-11-20', '2026-11-21']) {
      const args = [path, run, '59.02', '6.45'];
      const byScript = jsonOfScript<Record<string, Record<string, number[]>>>;
      const expected = byScript(python.program, script('dynamical-days.py'), args);
      for (const variable of ['precipitation', 'temp_mean']) {
        const local = await membersOf(path, variable, '--init', run);
        expect([variable, Object.keys(local)]).toEqual([variable, Object.keys(expected[variable])]);
        expect(Object.keys(local)).toHaveLength(35);
        for (const [day, values] of Object.entries(expected[variable]))
          for (const [member, value] of values.entries()) expect(local[day][member]).toBeCloseTo(value, 4);
        expect(await membersOf(`${server.url}/gefs.icechunk`, variable, '--init', run)).toEqual(local);
        expect(await membersOf(`icechunk:${server.url}/gefs.icechunk@main`, variable, '--init', run)).toEqual(local);
      }
    }
  });

  it('is asked for a point in five turns, each of what is known then', async () => {
    await using server = await serveFolder(folder);
    const turns: string[][] = [];
    let [turn, waiting]: [string[], (() => void)[]] = [[], []];
    let quiet: NodeJS.Timeout | undefined;
    // What comes while nothing is answered is asked for at the same time.
    server.mischief = ({ url = '' }) =>
      new Promise((resolve) => {
        turn.push(url.replace(/^\/gefs\.icechunk\/(\w+).*$/, '$1'));
        waiting.push(() => resolve(false));
        clearTimeout(quiet);
        quiet = setTimeout(() => {
          turns.push([...new Set(turn)].sort());
          const answered = waiting;
          [turn, waiting] = [[], []];
          for (const answer of answered) answer();
        }, 200);
      });
    const file = await openArrays(`${server.url}/gefs.icechunk`);
    const point = { latitude: 59.02, longitude: 6.45 };
    const { table } = await tableAtPoint(await loadCore(), file, { variable: 'temp_mean', point, init: '2026-11-20' });
    expect(table.numRows).toBe(35);
    const inTurn = ['refs,repo', 'snapshots', 'manifests', 'chunks', 'chunks'];
    expect(turns.map(String)).toEqual(turns[0].length > 1 ? inTurn : ['refs', ...inTurn.slice(1)]);
  });

  it('has the known rain of each day', async () => {
    const days = Object.values(await membersOf(`icechunk:${path}`, 'precipitation', '--init', '2026-11-20'));
    for (const [day, members] of days.entries())
      for (const [member, value] of members.entries())
        expect(value).toBeCloseTo((24 * (1 + day + 0.1 * member + 0.01 * (4 + 6))) / 10, 3);
  });
});

describe.skipIf(python === undefined)('several runs of a repository', () => {
  const path = join(folder, 'runs.icechunk');
  const stats = (...options: string[]) =>
    plumecastHere('stats', path, '--point', '59.02,6.4', '--granularity', 'daily', ...options);
  beforeAll(() => {
    // The last one has no temperature of the last days but for one member.
    const format = String(python.formats[python.formats.length - 1]);
    runScript(python.program, script('dynamical.py'), [path, format, '3', '3', '20', '20', '2']);
  });

  it('are read as the newest one, where it is complete', async () => {
    const { out, err } = await stats('-v', 'precipitation');
    expect(err).toContain('run 2026-11-22T00:00:00Z, the newest of 3 runs; times');
    expect(out).toBe((await stats('-v', 'precipitation', '--init', '2026-11-22')).out);
  });

  it('are read as the one before where the newest one lacks values of a member', async () => {
    const { out, err } = await stats('-v', 'temp_mean');
    const reason = 'in 2026-11-22T00:00:00Z member 1 has no value at 2026-12-08T18:00:00Z';
    expect(err).toContain(`run 2026-11-21T00:00:00Z, the newest of 3 runs that is complete: ${reason}`);
    expect(out).toBe((await stats('-v', 'temp_mean', '--init', '2026-11-21')).out);
    expect((await stats('-v', 'temp_mean', '--init', '2026-11-22')).out).not.toBe(out);
  });

  it('are inspected as the newest one that is complete', async () => {
    const { out } = await plumecastHere('inspect', path);
    const [words] = [out.replaceAll(/\s+/g, ' ')];
    expect(words).toContain('Zarr v3 in Icechunk');
    expect(words).toContain('run 2026-11-22T00:00:00Z, the newest of 3 runs');
    expect(words).not.toContain('problem');
    expect(words).toMatch(/temperature_2m .* values of temp_mean/);
  });

  it('are an error for a file that is not an archive', async () => {
    const file = await openArrays(path);
    await expect(gridEnsemble(file, { variable: 'precipitation' })).rejects.toThrow(/dimension init_time holds 3 runs/);
  });
});
