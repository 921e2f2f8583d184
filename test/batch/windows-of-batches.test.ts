import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { tableNetcdf } from '../../src/files/cf/table-ensemble.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { folderWith, plumecast } from '../cli/run-command.js';

/*
 * A batch makes of windows, measures, conditions and bands what stats makes of each file.
 */

const { folder, remove } = folderWith({ 'list.csv': 'name,start,end\nsowing,2026-03-03,2026-03-20\n' });
afterAll(remove);
const at = (...path: string[]) => join(folder, ...path);
const options = {
  days: 200,
  members: 7,
  locations: [
    { latitude: 50, longitude: 5 },
    { latitude: 50, longitude: 6 },
  ],
};

beforeAll(async () => {
  const rain = demoTable('precipitation', options);
  writeFileSync(at('rain.arrow'), await encodeTable(rain, 'arrow'));
  await writeNetcdf4(at('grid.nc'), tableNetcdf(rain));
  const history = demoTable('precipitation', { ...options, initDate: 11_323, days: 7 * 365, members: 1 });
  writeFileSync(at('history.arrow'), await encodeTable(history, 'arrow'));
  const reference = ['--reference', '2002-2007', '--quantiles', '0.9', '--fewer-years'];
  for (const [name, windows] of [
    ['seasons', 'MAM,JJA'],
    ['rolling', 'rolling 7'],
  ]) {
    const { err } = plumecast([
      'climatology',
      at('history.arrow'),
      ...reference,
      '--windows',
      windows,
      '--out',
      at(`${name}.arrow`),
    ]);
    expect(err).not.toMatch(/^error/m);
  }
});

function succeed(args: readonly string[]): string {
  const { code, out, err } = plumecast(args);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  return out;
}

const FLAGS: readonly (readonly [name: string, flags: readonly string[]])[] = [
  ['seasons', ['--windows', 'seasons', '--days', '>5', '--threshold', '3..9', '--threshold', '>20', '--bands', '0.9']],
  ['days-1-7_3-9', ['--windows', 'days 1-7,3-9', '--spell', '<1', '--spell-days', '2', '--threshold', '<1 or >2']],
  ['rolling-30', ['--windows', 'rolling 30', '--window', 'max', '--bands', '0.5']],
  ['years-from-3', ['--windows', 'years', '--year-start', '3', '--partial', '--excess', '>5']],
  ['list', ['--windows', at('list.csv'), '--first-day', '>5', '--min-member-share', '0.1']],
];

describe('results of a batch are those of stats', () => {
  it.each(FLAGS)('for %s', (name, flags) => {
    for (const file of ['rain.arrow', 'grid.nc']) {
      const out = at(`out-${name}-${file}`);
      const named = ['--out', out, '--name', '{input}_{granularity}', '--format', 'csv'];
      succeed(['batch', at(file), ...named, ...flags]);
      const result = `${file.split('.')[0]}_${name}.csv`;
      expect(readdirSync(out)).toContain(result);
      expect(readFileSync(join(out, result), 'utf8')).toBe(succeed(['stats', at(file), '--format', 'csv', ...flags]));
    }
  });

  it('against climatologies of windows, chosen by them', () => {
    const flags = ['--threshold', '>q90', '--threshold', '<q90 and >1'];
    const climatologies = `${at('seasons.arrow')},${at('rolling.arrow')}`;
    succeed([
      'batch',
      at('rain.arrow'),
      '--out',
      at('normal'),
      '--format',
      'csv',
      '--climatology',
      climatologies,
      ...flags,
    ]);
    for (const [name, file] of [
      ['MAM_JJA', 'seasons'],
      ['rolling-7', 'rolling'],
    ]) {
      const expected = succeed([
        'stats',
        at('rain.arrow'),
        '--format',
        'csv',
        '--climatology',
        at(`${file}.arrow`),
        ...flags,
      ]);
      expect(expected).toContain('p_gt_clim_q90');
      expect(readFileSync(at('normal', `rain_${name}.csv`), 'utf8')).toBe(expected);
    }
  });

  it('of several kinds, each given by an option of its own', () => {
    const windows = ['dekads', 'rolling 7'].flatMap((text) => ['--windows', text]);
    succeed(['batch', at('rain.arrow'), ...windows, '--format', 'csv', '--out', at('kinds')]);
    for (const [name, text] of [
      ['dekads', 'dekads'],
      ['rolling-7', 'rolling 7'],
    ]) {
      const expected = succeed(['stats', at('rain.arrow'), '--windows', text, '--format', 'csv']);
      expect(readFileSync(at('kinds', `rain_${name}.csv`), 'utf8')).toBe(expected);
    }
    const twice = plumecast(['stats', at('rain.arrow'), ...windows]);
    expect(twice.err).toMatch(/--windows <which>' is given twice, as 'dekads' and 'rolling 7'/);
  });

  it('by a plan, with windows and conditions as texts and lists', () => {
    const plan = {
      ...{ inputs: [at('rain.arrow')], out: at('plan'), format: 'csv', bands: 0.9, window: 'days >5' },
      granularities: ['weekly', 'dekads', [{ name: 'sowing', start: '2026-03-03', end: '2026-03-20' }]],
      thresholds: ['>=1', '2..4'],
    };
    writeFileSync(at('plan.json'), JSON.stringify(plan));
    succeed(['batch', '--plan', at('plan.json')]);
    const flags = ['--days', '>5', '--bands', '0.9', '--threshold', '>=1', '--threshold', '2..4', '--format', 'csv'];
    for (const [name, windows] of [
      ['weekly', 'weekly'],
      ['dekads', 'dekads'],
      ['list', at('list.csv')],
    ]) {
      const expected = succeed(['stats', at('rain.arrow'), '--windows', windows, ...flags]);
      expect(readFileSync(at('plan', `rain_${name}.csv`), 'utf8')).toBe(expected);
    }
    const before = readFileSync(at('plan', 'manifest.json'), 'utf8');
    succeed(['batch', '--plan', at('plan.json'), '--resume']);
    expect(readFileSync(at('plan', 'manifest.json'), 'utf8')).toBe(before);
  });
});

describe('options of a batch', () => {
  it.each([
    [['--windows', 'days 3-1'], /--windows: has an empty window; received "3-1"/],
    [['--year-start', '4'], /--year-start is for --windows years/],
    [['--days', '>1', '--spell', '<1'], /only one of --window, --days, --spell/],
    [['--threshold', '>q90'], /--threshold: need a climatology/],
    [
      ['--variable', 'precipitation,temp_mean', '--threshold', 'precipitation>1 and temp_mean<0'],
      /--threshold: a condition is on several variables beside --variable, .*; allowed: two plans/,
    ],
    [['--variable', 'precipitation', '--threshold', 'temp_mean<0'], /on a variable that is not one of the plan's/],
    [['--threshold', '5..'], /Expected a limit at character 4/],
    [['--bands', '2'], /Expected a probability from 0.01 to 0.9999/],
  ])('%j are errors that say what is allowed', (flags, message) => {
    const { code, err } = plumecast(['batch', at('rain.arrow'), '--out', at('none'), ...flags]);
    expect(code).not.toBe(0);
    expect(err).toMatch(message);
    expect(existsSync(at('none'))).toBe(false);
  });
});
