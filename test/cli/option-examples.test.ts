import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const DAY = 86_400_000;
const dates = (first: string, days: number) =>
  Array.from({ length: days }, (_, d) => new Date(Date.parse(first) + d * DAY).toISOString().slice(0, 10));
const rain = (d: number, m: number) => Math.max(0, ((d * 7919 + m * 104_729) % 997) / 20 - 20).toFixed(1);

/** A table with a column for each member. */
function wide(first: string, days: number, members = 8, place = '37.30,-79.84'): string {
  const names = Array.from({ length: members }, (_, m) => (members === 1 ? 'value' : `member_0${m}`));
  const rows = dates(first, days).map((date, d) => `${place},${[date, ...names.map((_, m) => rain(d, m))].join(',')}`);
  return `latitude,longitude,date,${names.join(',')}\n${rows.join('\n')}\n`;
}

const long = dates('2026-03-02', 14).flatMap((date, d) => [0, 1, 2, 3].map((m) => `${date},${m},${rain(d, m)}`));
const ids = ['F001', 'F002', 'F003'].flatMap((id, place) =>
  dates('2026-03-02', 14).map(
    (date, d) => `${id},${40 + place},${place},${date},${rain(d, place)},${rain(d, place + 1)}`,
  ),
);
const { folder, remove } = folderWith({
  'rain.csv': wide('2026-03-02', 42),
  'long.csv': `day,run,mm\n${long.join('\n')}\n`,
  'history.csv': wide('1991-01-01', 11_688, 1),
  'short.csv': wide('2026-03-02', 15),
  'sub.csv': wide('2026-03-02', 46),
  'seasonal.csv': wide('2026-03-02', 70),
  'ids.csv': `id,latitude,longitude,date,member_00,member_01\n${ids.join('\n')}\n`,
  'comma.csv': `date;member_00;member_01\n${dates('2026-03-02', 7)
    .map((date) => `${date};1,5;2,25`)
    .join('\n')}\n`,
  'cold.csv': `date,member_00,member_01\n${dates('2026-03-02', 7)
    .map((date, d) => `${date},${2 - d},${1 - d}`)
    .join('\n')}\n`,
  'dates.csv': `date,member_00,member_01\n02.03.2026,1,2\n13.03.2026,1,2\n`,
});
afterAll(remove);

const RAIN = ['--variable', 'precipitation', '--units', 'mm'];
const WEEKS = ['rain.csv', ...RAIN, '--granularity', 'weekly'];
const NORMAL = ['--climatology', 'rain-normal.csv'];

/** How the examples of a table of docs/options.md are run: what the command is given besides, and what some need in its place. */
interface Run {
  readonly title: string;
  readonly command: string;
  readonly given: readonly string[];
  /** Of options that need other data, or another option. */
  readonly others?: Readonly<Record<string, readonly string[]>>;
  /** Options whose examples are not run here: they need hindcasts, archives, grids, stores or a server. */
  readonly only?: readonly string[];
}

const RUNS: readonly Run[] = [
  {
    title: 'Statistics',
    command: 'stats',
    given: ['rain.csv', ...RAIN],
    others: {
      columns: ['long.csv', ...RAIN],
      partial: WEEKS,
      window: WEEKS,
      exceed: ['rain.csv', ...RAIN, ...NORMAL],
      anomaly: ['rain.csv', ...RAIN, ...NORMAL],
    },
  },
  {
    title: 'Climatologies',
    command: 'climatology',
    given: ['history.csv', ...RAIN],
    others: { columns: ['long.csv', ...RAIN, '--reference', '2026-2026'] },
    only: [
      ...['granularity', 'reference', 'fewerYears', 'halfWidth', 'quantiles', 'quantileType', 'categories'],
      ...['thresholds', 'minSampleShare', 'point', 'window', 'variable'],
    ],
  },
  {
    title: 'Timelines',
    command: 'blend',
    given: ['short.csv', 'sub.csv', 'seasonal.csv', ...RAIN],
    others: { names: ['short.csv', 'seasonal.csv', ...RAIN, '--last-leads', '14,all', '--overlaps', '3'] },
    only: ['names', 'method', 'overlaps', 'lastLeads', 'keepGaps', 'variable'],
  },
  {
    title: 'Values',
    command: 'stats',
    given: ['rain.csv', '--variable', 'precipitation'],
    others: {
      ids: ['ids.csv', ...RAIN],
      decimal: ['comma.csv', ...RAIN],
      dateFormat: ['dates.csv', ...RAIN],
      bbox: ['ids.csv', ...RAIN],
    },
    only: ['units', 'missing', 'sort', 'decimal', 'ids', 'bbox', 'dateFormat'],
  },
  {
    title: 'Flags of the commands alone',
    command: 'stats',
    given: WEEKS,
    others: {
      '--windows': ['rain.csv', ...RAIN, '--partial'],
      '--year-start': ['rain.csv', ...RAIN, '--partial', '--windows', 'years'],
      '--first-day': ['cold.csv', '--variable', 'temp_min', '--units', 'degC', '--granularity', 'weekly'],
      '--spell-days': ['rain.csv', ...RAIN, '--windows', 'all', '--spell', '<1'],
    },
    only: [
      ...['--windows', '--year-start', '--days', '--spell', '--spell-days', '--first-day', '--excess'],
      ...['--escape-formulas', '--threads', '--quiet'],
    ],
  },
  {
    title: 'Flags of the commands alone',
    command: 'plot',
    given: ['rain.csv', ...RAIN],
    only: ['--days', '--title', '--width', '--theme', '--amounts', '--no-members', '--fill'],
  },
];

const page = readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8');

/** The examples below a title of the page, by the first cell of their rows: an option, or a flag. */
function examplesOf(title: string): Map<string, string> {
  const [section] = page.split(`\n## ${title}\n`)[1].split('\n## ');
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const cells = row
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', '').trim());
      const [name] = cells[0].split(' ');
      return cells[3] ? [[name, cells[3]] as const] : [];
    }),
  );
}

const wordsOf = (example: string) =>
  [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
const inFolder = (args: readonly string[]) => args.map((arg) => (arg.endsWith('.csv') ? join(folder, arg) : arg));

describe('examples of docs/options.md give results', () => {
  it('of a climatology, which others need', async () => {
    const out = ['--out', join(folder, 'rain-normal.csv'), '--quantiles', '0.5,0.9,0.95'];
    const { code, err } = await plumecastHere('climatology', ...inFolder(['history.csv', ...RAIN]), ...out);
    expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  });

  it.each(
    RUNS.flatMap(({ title, command, given, others = {}, only }) => {
      const examples = examplesOf(title);
      const chosen = only ?? [...examples.keys()];
      return chosen.map((name) => ({ command, args: others[name] ?? given, name, example: examples.get(name) }));
    }),
  )('$command $example', async ({ command, args, example }) => {
    const words = wordsOf(example as string);
    // An example says in another way what is given besides.
    const [flag] = words;
    const at = args.indexOf(flag);
    const besides = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
    const { code, out, err } = await plumecastHere(command, ...inFolder(besides), ...words);
    expect([code, code === 0 ? '' : err]).toEqual([0, '']);
    expect(out.length).toBeGreaterThan(50);
  });
});
