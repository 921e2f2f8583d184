import { readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTable } from '../../src/files/encode-tables.js';
import { folderWith, plumecast } from '../cli/run-command.js';
import { checksums, withOneWorker } from './batch-process.js';
import { put, rain, writeInputs } from './many-inputs.js';

const { folder, remove } = folderWith({});
const path = (...steps: string[]) => join(folder, ...steps);
const RAIN = ['--variable', 'precipitation', '--granularity', 'weekly'];
const batch = (...args: string[]) => plumecast(withOneWorker(['batch', ...args]), { cwd: folder });
/** The `planned` and `ended` events of a batch. */
function counts(...args: string[]) {
  const { out, err, code } = batch(...args, '--json');
  expect({ err, code }).toEqual({ err: '', code: 0 });
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const names = events.flatMap(({ event, output }) => (event === 'finished' ? [output] : []));
  return { kept: events.at(-1).kept as number, made: names.sort() as string[] };
}
const manifest = (out: string) => JSON.parse(readFileSync(path(out, 'manifest.json'), 'utf8'));

beforeAll(async () => {
  await writeInputs(folder, 4);
  expect(batch('runs', ...RAIN, '--out', 'weekly')).toMatchObject({ code: 0, out: '' });
});
afterAll(remove);

describe('plumecast batch', () => {
  it.each([
    ['arrow', 'deep/02.parquet'],
    ['csv', '01.arrows'],
    ['json', '00.arrow'],
    ['parquet', '03.csv'],
  ])('writes the same bytes as plumecast stats for each file, in %s from %s', (format, input) => {
    expect(batch('runs', ...RAIN, '--out', format, '--format', format).code).toBe(0);
    const single = `single.${format}`;
    expect(plumecast(['stats', `runs/${input}`, ...RAIN, '--out', single], { cwd: folder })).toMatchObject({ code: 0 });
    const name = input.replace(/\.\w+$/, `.${format}`);
    expect(readFileSync(path(format, name)).equals(readFileSync(path(single)))).toBe(true);
  });

  it('writes the same bytes with any number of workers, any memory, and inputs by folder, glob or list', () => {
    const expected = checksums(path('weekly'));
    const ways = [
      ['runs', '--workers', '1', '--memory', '300MB'],
      ['runs', '--workers', '3', '--memory', '1GiB'],
      ['./runs//**/*', 'runs/00.arrow', '--workers', '2'],
    ];
    ways.forEach((way, index) => {
      expect(batch(...way, ...RAIN, '--out', `way-${index}`).code).toBe(0);
      const { 'manifest.json': _, ...outputs } = checksums(path(`way-${index}`));
      expect(expected).toMatchObject(outputs);
      expect(Object.keys(outputs)).toHaveLength(4);
    });
  });

  it('writes a manifest with the inputs, the plan and the outputs', () => {
    const { plan, inputs, outputs, failed, others } = manifest('weekly');
    const sums = checksums(path('weekly'));
    expect(plan).toMatchObject({ variables: ['precipitation'], granularities: ['weekly'], format: 'arrow' });
    expect(inputs.map((input: { path: string; bytes: number }) => [input.path, input.bytes])).toEqual(
      ['00.arrow', '01.arrows', '03.csv', 'deep/02.parquet'].map((name) => [
        `runs/${name}`,
        statSync(path('runs', name)).size,
      ]),
    );
    for (const { output, sha256, bytes } of outputs)
      expect([sha256, bytes]).toEqual([sums[output], statSync(path('weekly', output)).size]);
    expect([failed, others]).toEqual([[], []]);
  });

  it('writes a file for each variable and granularity, with the thresholds of each variable', () => {
    const plan = {
      inputs: ['runs/00.arrow'],
      out: 'several',
      variables: ['precipitation'],
      granularities: ['daily', 'monthly'],
      thresholds: { precipitation: ['>5'] },
    };
    const { code, err } = plumecast(['batch', '--plan', '-'], { cwd: folder, input: JSON.stringify(plan) });
    expect([code, err]).toEqual([0, expect.stringMatching(/^several: 2 made in \d+:\d\d\n$/)]);
    expect(Object.keys(checksums(path('several')))).toEqual(['00_daily.arrow', '00_monthly.arrow', 'manifest.json']);
    const columns = tableFromIPC(readFileSync(path('several', '00_monthly.arrow'))).schema.names;
    expect(columns).toContain('p_gt_5');
  });

  it('joins inputs into one file in their order, with one dictionary of texts', () => {
    expect(batch('runs', ...RAIN, '--name', 'all_{granularity}', '--out', 'joined').code).toBe(0);
    const parts = ['00', '01', '03', 'deep/02'].map((name) =>
      tableFromIPC(readFileSync(path('weekly', `${name}.arrow`))),
    );
    const joined = tableFromIPC(readFileSync(path('joined', 'all_weekly.arrow')));
    const rows = (table: typeof joined) => table.toArray().map((row) => row.toJSON());
    expect(rows(joined)).toEqual(parts.flatMap(rows));
    expect(joined.schema.metadata).toEqual(parts[0].schema.metadata);
  });

  it('does not join inputs with the same place and day, and names both', async () => {
    put(folder, 'twice/a.csv', await encodeTable(rain(1), 'csv'));
    put(folder, 'twice/b.csv', await encodeTable(rain(2, { place: 1 }), 'csv'));
    const { code, err } = batch('twice', ...RAIN, '--name', 'all', '--out', 'joined-twice');
    expect(code).toBe(1);
    expect(err).toMatch(
      'error: all.arrow: twice/b.csv: has a place and day that twice/a.csv has too, and both go into one file; received "2024-01-01"',
    );
    expect(checksums(path('joined-twice'))).toEqual({});
  });
});

describe('plumecast batch --resume and --changed-only', () => {
  const again = (...args: string[]) => counts('again-runs', ...RAIN, '--out', 'again', ...args);

  beforeAll(async () => {
    for (const seed of [1, 2, 3]) put(folder, `again-runs/${seed}.csv`, await encodeTable(rain(seed), 'csv'));
    expect(again()).toMatchObject({ kept: 0 });
  });

  it('keep intact outputs, also of touched inputs, and write the same manifest as a batch that makes all', () => {
    const before = checksums(path('again'));
    expect(again('--resume')).toEqual({ kept: 3, made: [] });
    expect(checksums(path('again'))).toEqual(before);
    utimesSync(path('again-runs/2.csv'), 1_700_000_000, 1_700_000_000);
    expect(again('--changed-only')).toEqual({ kept: 3, made: [] });
    const touched = checksums(path('again'));
    expect(again().made).toHaveLength(3);
    expect(checksums(path('again'))).toEqual(touched);
  });

  it('make the outputs of changed and new inputs; outputs of removed inputs stay, and the manifest lists them', async () => {
    put(folder, 'again-runs/1.csv', await encodeTable(rain(9, { place: 1 }), 'csv'));
    put(folder, 'again-runs/4.csv', await encodeTable(rain(4), 'csv'));
    const removed = readFileSync(path('again-runs/3.csv'));
    rmSync(path('again-runs/3.csv'));
    expect(again('--changed-only')).toEqual({ kept: 1, made: ['1.arrow', '4.arrow'] });
    expect(manifest('again').others).toMatchObject([{ output: '3.arrow' }]);
    writeFileSync(path('again-runs/3.csv'), removed);
    expect(again('--changed-only')).toEqual({ kept: 4, made: [] });
    expect(manifest('again').others).toEqual([]);
  });

  it('make damaged, truncated and missing outputs again', () => {
    again();
    const before = checksums(path('again'));
    const bytes = readFileSync(path('again/1.arrow'));
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(path('again/1.arrow'), bytes);
    truncateSync(path('again/2.arrow'), 100);
    rmSync(path('again/3.arrow'));
    expect(again('--resume')).toEqual({ kept: 1, made: ['1.arrow', '2.arrow', '3.arrow'] });
    expect(checksums(path('again'))).toEqual(before);
  });

  it('make outputs with another request again, and keep the others', () => {
    again();
    expect(again('--resume', '--threshold', '>3').made).toHaveLength(4);
    expect(again('--resume').made).toHaveLength(4);
    expect(again('--resume', '--workers', '1', '--memory', '400MB')).toEqual({ kept: 4, made: [] });
  });
});
