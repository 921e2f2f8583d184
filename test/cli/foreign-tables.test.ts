import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from './run-command.js';

const rows = Array.from({ length: 7 }, (_, i) => [`2026-03-0${i + 2}`, i + 0.5, i === 3 ? -9999 : i + 1.5]);
const csv = (header: string, lines: (readonly (string | number)[])[]) =>
  `${[header, ...lines.map((line) => line.join(','))].join('\n')}\n`;
const plain = csv('date,m1,m2', rows);

const { folder, remove } = folderWith({
  'plain.csv': plain,
  'packed.csv.gz': gzipSync(plain),
  'digits.csv': plain.replaceAll('2026-03-0', '2026030'),
  'index.csv': plain.replace('date', ''),
  'commas.csv': plain.replaceAll(',', ';').replaceAll('.', ','),
  'one.csv': csv(
    'date,precipitation',
    [...rows.slice(3), ...rows.slice(0, 3)].map(([date, value]) => [date, value]),
  ),
  'shuffled.csv': csv('date,m1,m2', [...rows.slice(3), ...rows.slice(0, 3)]),
  // As a service answers with two variables.
  'several.csv': csv('variable,units,date,m1,m2', [
    ...rows.map((row) => ['temp_mean', 'degC', ...row]),
    ...rows.map((row) => ['precipitation', 'mm', ...row]),
  ]),
  'weekly.json': JSON.stringify({
    inputs: ['commas.csv'],
    out: 'out',
    missing: -9999,
    sort: true,
    decimal: ',',
    minMemberShare: 0.5,
    units: 'mm',
    variables: ['precipitation'],
  }),
});
afterAll(remove);
const requested = [
  ...['--variable', 'precipitation', '--units', 'mm', '--granularity', 'weekly', '--missing', '-9999'],
  ...['--format', 'csv'],
  // Only one of two members has the whole week.
  ...['--min-member-share', '0.5'],
];
const stats = (...args: string[]) => plumecast(['stats', ...args, ...requested], { cwd: folder });

describe('common forms of a table give the statistics of the plain form', () => {
  let expected: string;
  beforeAll(() => {
    expected = stats('plain.csv').out;
    expect(expected).toContain('2026-W10,2026-03-02,2026-03-08,1,7,1,');
  });

  it.each([
    ['packed.csv.gz', [], ''],
    ['digits.csv', [], ''],
    ['index.csv', [], ''],
    ['commas.csv', [], 'note: commas.csv: numbers read with decimal commas\n'],
    ['commas.csv', ['--decimal', ','], ''],
    ['several.csv', [], ''],
    ['shuffled.csv', ['--sort'], 'note: shuffled.csv: rows sorted by place, member and day\n'],
  ])('%s %j', (file, options, err) => {
    expect(stats(file, ...options)).toMatchObject({ out: expected, err });
  });

  it('gzipped standard input', () => {
    const packed = { cwd: folder, input: gzipSync(plain) };
    expect(plumecast(['stats', '-', ...requested], packed)).toMatchObject({ out: expected, err: '' });
  });

  it('in a batch, by options of its plan', () => {
    expect(plumecast(['batch', '--plan', 'weekly.json'], { cwd: folder })).toMatchObject({ code: 0 });
  });

  it('inspect recommends a command with the given options', () => {
    const { out } = plumecast(['inspect', 'one.csv', '--sort', '--missing', '-9999', '--json'], { cwd: folder });
    const [{ variables }] = JSON.parse(out);
    expect(variables[0].command).toMatch(/ --sort/);
    expect(variables[0].command).toMatch(/ --missing -9999/);
  });
});
