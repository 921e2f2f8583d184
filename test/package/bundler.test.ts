import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gribSeeds } from '../fuzz/grib-seeds.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const USER_CODE = `
import { loadCore } from 'plumecast';
import { computeStatistics } from 'plumecast/arrays';
import { MemberColumn } from 'plumecast/arrays';
import { windowTable } from 'plumecast/arrays';

const members = [1, 2, 6].map((x) => new MemberColumn('m' + x, [{ values: new Float32Array(7).fill(x) }]));
const field = { type: 'float32', order: 'day-fastest', firstDay: 4, days: 7, cells: 1, members };
const request = { window: 'sum', quantiles: [0.5], quantileType: 7, thresholds: [], spread: false, minMemberShare: 0.8 };
const { mean, quantiles } = computeStatistics(await loadCore(), field, windowTable('weekly', 4, 10), request);
console.log(JSON.stringify([[...mean], [...quantiles[0]]]));
`;

const gribCode = (message: Uint8Array) => `
import { openArrays } from 'plumecast/files';

const file = await openArrays(Uint8Array.from(${JSON.stringify([...message])}));
const values = new Float64Array(200);
const field = file.arrays.get('2t');
await field.read({ start: field.shape.map(() => 0), count: field.shape }, values);
console.log(JSON.stringify([file.format, values.filter(Number.isFinite).length]));
`;

let folder: string;
beforeAll(async () => {
  // Outside of the project, so that what is missing in the bundle is not found.
  folder = await mkdtemp(join(tmpdir(), 'plumecast-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([false, true])('a bundle for browsers works without configuration, splitting: %s', async (splitting) => {
  const outdir = join(folder, String(splitting));
  await build({
    stdin: { contents: USER_CODE, resolveDir: root },
    bundle: true,
    minify: true,
    splitting,
    format: 'esm',
    platform: 'browser',
    outdir,
    tsconfigRaw: {},
    logLevel: 'error',
  });
  await writeFile(join(outdir, 'package.json'), '{ "type": "module" }');
  const { stdout } = await promisify(execFile)(process.execPath, [join(outdir, 'stdin.js')]);
  expect(JSON.parse(stdout)).toEqual([[21], [14]]);
});

it('a bundle for browsers reads GRIB without configuration', async () => {
  const outdir = join(folder, 'grib');
  const message = gribSeeds().get('simple') as Uint8Array;
  await build({
    stdin: { contents: gribCode(message), resolveDir: root },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir,
    tsconfigRaw: {},
    logLevel: 'error',
  });
  await writeFile(join(outdir, 'package.json'), '{ "type": "module" }');
  const { stdout } = await promisify(execFile)(process.execPath, [join(outdir, 'stdin.js')]);
  expect(JSON.parse(stdout)).toEqual(['GRIB', 200]);
});
