import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gribFile, RAIN, T2M, type TestField } from '../files/grib/write-grib.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

/**
 * A run of two days in the layout of GEFS: three members, steps of 6 hours; member m has m mm and 280 K + m in each
 * step.
 */
const STEPS = Array.from({ length: 8 }, (_, i) => 6 * (i + 1));
const fieldsOf = (member: number, step: number, reference?: string): TestField[] => [
  { ...RAIN, member, step: step - 6, end: step, value: member, reference },
  { ...T2M, member, step: step - 6, value: 280 + member, reference },
];

const { folder, remove } = folderWith({});
afterAll(remove);
const at = (name: string) => join(folder, name);
function write(name: string, fields: readonly TestField[]): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), gribFile(fields));
  return at(name);
}
const files = STEPS.flatMap((step) =>
  [1, 2, 3].map((member) => write(`gefs/gep0${member}.t00z.pgrb2s.0p25.f0${step}`, fieldsOf(member, step))),
);
writeFileSync(at('gefs/gep01.t00z.pgrb2s.0p25.f006.idx'), '1:0:d=2026030200:APCP:surface:0-6 hour acc fcst:ENS=+1\n');
const rain = ['-v', 'precipitation', '--quantiles', '0.5', '--format', 'csv'];
/** Both cells of both days: 4, 8 and 12 mm of the members. */
const days = (from: string) =>
  ['10', '11']
    .flatMap((east) =>
      ['2026-03-02', '2026-03-03'].map((day) => `precipitation,mm,50,${east},${day},${day},${day},1,1,3,8,8`),
    )
    .map((row) => `${from}${row}`);

describe('GRIB files of the commands', () => {
  it('are one input as a folder, whatever their endings; indices beside them are passed over', async () => {
    const { code, out, err } = await plumecastHere('stats', at('gefs'), ...rain);
    expect([code, out.trim().split('\n').slice(1)]).toEqual([0, days('')]);
    expect(err).toBe(`note: ${at('gefs')}: amounts of each step, by the bounds of time; 6-hourly sums to daily sums\n`);
  });

  it('are one input if they are given together; other files have rows of their own', async () => {
    const { out } = await plumecastHere('stats', ...files, ...rain);
    expect(out.trim().split('\n').slice(1)).toEqual(days(''));
    writeFileSync(at('rain.csv'), 'date,m1\n2026-03-02,1\n');
    const both = await plumecastHere('stats', ...files, at('rain.csv'), ...rain);
    const sources = new Set(
      both.out
        .trim()
        .split('\n')
        .slice(1)
        .map((row) => row.split(',')[0]),
    );
    expect([...sources]).toEqual([`${files[0]} and 23 more`, at('rain.csv')]);
  });

  describe('with an index file beside one of them', () => {
    const notFitting = (name: string) =>
      `warning: ${at('indexed')}: 1 index file does not fit, and all headers of its file are read: ${at(name)}: `;
    const indexed = (name: string, text: string) => {
      for (const file of files) cpSync(file, file.replace(at('gefs'), at('indexed')));
      writeFileSync(at(name), text);
      return plumecastHere;
    };

    it.each([
      ['stats', (input: string) => ['stats', input, ...rain]],
      ['convert', (input: string) => ['convert', input, at('out.csv'), '-v', 'precipitation']],
      ['climatology', (input: string) => ['climatology', input, '-v', 'precipitation', '--out', at('normals.csv')]],
      ['blend', (input: string) => ['blend', input, at('gefs'), '-v', 'precipitation', '--out', at('blend.csv')]],
      [
        'ingest',
        (input: string) => [
          'ingest',
          '--store',
          at('indexed-store'),
          '--short-term',
          input,
          '--variable',
          'precipitation',
        ],
      ],
    ])('%s reads it where the variable is named', async (_, args) => {
      const name = 'indexed/gep01.t00z.pgrb2s.0p25.f012.idx';
      const { err } = await indexed(name, '1:0:d=2026030200:TMP')(...args(at('indexed')));
      expect(err).toContain(`${notFitting(name)}line 1 is not one of an inventory\n`);
    });

    it('inspect does not read it', async () => {
      const { code, out } = await indexed('indexed/gep01.t00z.pgrb2s.0p25.f012.idx', '')('inspect', at('indexed'));
      expect([code, out]).toEqual([0, expect.not.stringContaining('index file')]);
    });

    it('files given together and a single file have theirs', async () => {
      const [name, single] = ['indexed/gep02.t00z.pgrb2s.0p25.f018', at('one/run.grib2')];
      const paths = files.map((file) => file.replace(at('gefs'), at('indexed')));
      const { err } = await indexed(`${name}.index`, '')('stats', ...paths, ...rain);
      expect(err).toContain(`${at(name)}.index: it is empty\n`);
      write(
        'one/run.grib2',
        STEPS.flatMap((step) => fieldsOf(1, step)),
      );
      writeFileSync(at('one/run.index'), '{}');
      const one = await plumecastHere('stats', single, ...rain);
      expect(one.err).toContain(`${at('one/run.index')}: line 1 is not JSON with _offset, _length and param\n`);
      expect(one.out).toContain('precipitation,mm,50,10,2026-03-02,2026-03-02,2026-03-02,1,1,1,4,4\n');
    });
  });

  it('are inspected as one input', async () => {
    const { code, out } = await plumecastHere('inspect', at('gefs'), '--json');
    const [inspection] = JSON.parse(out);
    expect([code, inspection.format, inspection.holds]).toEqual([0, 'GRIB', 'values']);
    const found = inspection.variables.map(({ name, variable, members }: Record<string, unknown>) => [
      name,
      variable,
      members,
    ]);
    const members = { count: 3, first: '1', last: '3' };
    expect(found).toEqual([
      ['tp', 'precipitation', members],
      ['2t', 'temp_mean', members],
    ]);
  });

  it('a missing file is missing values, and noted', async () => {
    for (const [i, name] of files.entries())
      if (i !== 4) write(name.replace(at('gefs'), 'part'), fieldsOf((i % 3) + 1, STEPS[Math.floor(i / 3)]));
    const { out, err } = await plumecastHere('stats', at('part'), ...rain, '--min-member-share', '0.5');
    expect(err).toContain('1 of 24 fields are in no file, and missing: member 2 at 2026-03-02T12:00Z');
    expect(out).toContain('precipitation,mm,50,10,2026-03-02,2026-03-02,2026-03-02,1,1,2,8,8\n');
  });

  it('of several runs ask for one', async () => {
    const run = (reference: string) => STEPS.flatMap((step) => fieldsOf(1, step, reference));
    const given = [write('run00.grib2', run('2026-03-02T00:00Z')), write('run12.grib2', run('2026-03-02T12:00Z'))];
    const open = await plumecastHere('stats', ...given, ...rain);
    expect([open.code, open.err]).toEqual([
      1,
      `error: ${given[0]} and 1 more, --init: dimension forecast_reference_time holds 2 runs; allowed: the time of one of them: 2026-03-02T00:00:00Z, 2026-03-02T12:00:00Z; or all, as one lagged ensemble\n`,
    ]);
    const { out } = await plumecastHere('stats', ...given, ...rain, '--init', '2026-03-02T12:00Z');
    expect(out.trim().split('\n').slice(1)).toEqual([
      'precipitation,mm,50,10,2026-03-03,2026-03-03,2026-03-03,1,1,1,4,4',
      'precipitation,mm,50,11,2026-03-03,2026-03-03,2026-03-03,1,1,1,4,4',
    ]);
    const lagged = await plumecastHere('stats', ...given, ...rain, '--init', 'all', '--min-member-share', '0.5');
    expect(lagged.err).toContain('2 runs, 2026-03-02T00:00Z to 2026-03-02T12:00Z, as one lagged ensemble');
    expect(lagged.out.split('\n')).toContain('precipitation,mm,50,10,2026-03-03,2026-03-03,2026-03-03,1,1,2,4,4');
  });

  it('give the elevation of a store', async () => {
    const orography = write('z.grib2', [{ category: 3, number: 4, surface: 1, step: 0, value: 980.665 }]);
    const store = ['ingest', '--store', at('store')];
    await plumecastHere(...store, '--short-term', at('gefs'), '--variable', 'temp_mean', '--generation', '1');
    const { code, out } = await plumecastHere(...store, '--elevation', orography);
    expect([code, out]).toEqual([0, expect.stringContaining('elevation')]);
    const { err } = await plumecastHere(...store, '--elevation', at('gefs'));
    expect(err).toContain('has no orography');
  });
});
