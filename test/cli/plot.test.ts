import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { renderPng } from '../../src/cli/render-png.js';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { meteogram } from '../../src/plot/index.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { elementsOf, linesOf, panelsOf } from '../plot/read-svg.js';
import { plumecastHere } from './run-here.js';

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-plot-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(path(name), 'utf8');

const rain = demoTable('precipitation', { days: 28, members: 5 });
const temperature = demoTable('temp_mean', { days: 28, members: 5 });
const places = [
  { latitude: 10, longitude: 20 },
  { latitude: 10, longitude: 21 },
];

beforeAll(async () => {
  const several = demoTable('temp_mean', { days: 14, members: 3, locations: places });
  const history = demoTable('precipitation', { initDate: 8401, days: 1100, members: 1 });
  for (const [name, table] of Object.entries({ rain, temperature, several, history })) {
    writeFileSync(path(`${name}.arrow`), await encodeTable(table, 'arrow'));
  }
});

/** Runs `plot` and returns what it writes to an SVG file. */
async function svgOf(...args: string[]): Promise<string> {
  const { code, err } = await plumecastHere('plot', ...args, '--theme', 'light', '--out', path('out.svg'));
  expect([code, err]).toEqual([0, '']);
  return read('out.svg');
}

it('draws what the library draws of the same tables', async () => {
  const weekly = { granularity: 'weekly', quantiles: [0.1, 0.5, 0.9] } as const;
  const { quantiles, ...windows } = weekly;
  const panels = [rain, temperature].map((table, i) => ({
    ensemble: memberWindows(core, table, windows),
    statistics: statistics(core, table, weekly),
    thresholds: [[20], [-3]][i],
  }));
  const limits = ['--threshold', 'precipitation>20', '--threshold', 'temp_mean < -3'];
  const args = ['--granularity', 'weekly', '--quantiles', '0.1,0.5,0.9', ...limits];
  expect(await svgOf(path('rain.arrow'), path('temperature.arrow'), ...args)).toBe(
    meteogram(panels, { theme: 'light' }),
  );
});

it('--bands draws the sampling error of the median, also of results, which have no members', async () => {
  const flags = [path('temperature.arrow'), '--granularity', 'weekly', '--quantiles', '0.25,0.5,0.75'];
  const [plain, banded] = [await svgOf(...flags), await svgOf(...flags, '--bands', '0.6')];
  expect(plain).not.toContain('sampling error');
  expect(banded).toContain('sampling error of the median, 60 %');
  await plumecastHere('stats', ...flags, '--bands', '0.6', '--out', path('banded.arrow'));
  const bandOf = (svg: string) => elementsOf(svg, 'path', 'sampling').map(({ attributes: { d } }) => d);
  expect(bandOf(await svgOf(path('banded.arrow')))).toHaveLength(1);
  for (const [args, text] of [
    [[path('banded.arrow'), '--bands', '0.6'], 'is for members, and the file has results'],
    [[path('rain.arrow'), '--map', '--bands', '0.6'], 'option --bands is not for a map'],
    [[path('rain.arrow'), '--bands', '1.5'], '--bands'],
  ] as const) {
    const { code, err } = await plumecastHere('plot', ...args, '--out', path('none.svg'));
    expect([code === 0, err]).toEqual([false, expect.stringContaining(text)]);
  }
  const { err } = await plumecastHere('plot', ...flags, '--bands', '0.99', '--out', path('few.svg'));
  expect(err).toContain('5 members are too few for both ends of the band of 99 % of q50');
});

it('draws a threshold without a variable in panels of one unit, and asks which of several is meant', async () => {
  const linesOf = (svg: string) => panelsOf(svg).map((panel) => elementsOf(panel, 'path', 'threshold').length);
  const files = [path('rain.arrow'), path('temperature.arrow')];
  expect(linesOf(await svgOf(files[1], files[1], '--threshold', '>5', '--threshold', '>9'))).toEqual([2, 2]);
  // Names from files are names of variables, too.
  expect(linesOf(await svgOf(...files, '--threshold', 'tp>=20'))).toEqual([1, 0]);
  const run = (...args: string[]) => plumecastHere('plot', ...files, ...args);
  expect(await run('--threshold', '>20')).toMatchObject({
    code: 1,
    err: 'error: --threshold: it is not clear which variable it is of; received ">20"; allowed: precipitation>20, temp_mean>20\n',
  });
  expect(await run('--threshold', 'wind_speed>5')).toMatchObject({
    code: 1,
    err: 'error: --threshold: no panel shows its variable; received "wind_speed>5"; allowed: precipitation>5, temp_mean>5\n',
  });
  expect((await run('--threshold', 'precipitation=5')).code).toBe(2);
  expect((await run('--threshold', 'precipitation>many')).code).toBe(2);
});

it('says which days a file has where it has none of the requested ones', async () => {
  const run = (...args: string[]) => plumecastHere('plot', path('rain.arrow'), ...args);
  expect(await run('--start-date', '2030-01-01')).toMatchObject({
    code: 1,
    err: `error: ${path('rain.arrow')}: no day from 2030-01-01; allowed: windows within the days available, 2026-03-02 to 2026-03-29\n`,
  });
  expect((await run('--granularity', 'monthly')).err).toBe(
    `error: ${path('rain.arrow')}: no complete month; allowed: windows within the days available, 2026-03-02 to 2026-03-29; or --partial\n`,
  );
});

it('draws results of stats from Arrow, CSV and NetCDF alike', async () => {
  const lines: [number, number][][] = [];
  for (const name of ['results.arrow', 'results.csv', 'results.nc']) {
    await plumecastHere('stats', path('temperature.arrow'), '--out', path(name));
    const [panel] = panelsOf(await svgOf(path(name)));
    lines.push(...linesOf(elementsOf(panel, 'path', 'median')[0].attributes.d));
  }
  expect(lines.map(({ length }) => length)).toEqual([28, 28, 28]);
  expect(lines[2]).toEqual(lines[0]);
  // Its numbers are decimals, so that halves of a tenth of a pixel are rounded otherwise.
  lines[1].forEach(([x, y], i) => {
    expect(Math.hypot(x - lines[0][i][0], y - lines[0][i][1])).toBeLessThan(0.11);
  });
});

it('compares with a climatology in its windows', async () => {
  const normal = path('weeks.arrow');
  const years = ['--reference', '1993-1995', '--granularity', 'weekly'];
  expect((await plumecastHere('climatology', path('history.arrow'), ...years, '--out', normal)).code).toBe(0);
  const svg = await svgOf(path('rain.arrow'), '--climatology', normal);
  expect(svg).toContain('weekly sums');
  expect(elementsOf(svg, 'path', 'climate')).toHaveLength(1);
  for (const category of ['below', 'above']) {
    expect(elementsOf(svg, 'path', `share wet-${category}`).length).toBeGreaterThan(1);
  }
});

it('rejects sums of other windows than those of the climatology', async () => {
  const normal = path('weekly-normal.arrow');
  const years = ['--reference', '1993-1995', '--granularity', 'weekly'];
  await plumecastHere('climatology', path('history.arrow'), ...years, '--out', normal);
  const { code, err } = await plumecastHere(
    ...['plot', path('rain.arrow'), '--climatology', normal, '--granularity', 'monthly', '--partial'],
  );
  expect([code, err]).toEqual([
    expect.any(Number),
    'error: --granularity: is not that of the climatology, and monthly sums and the weekly sums of the climatology have no common scale; received "monthly"; allowed: weekly, or a climatology with --granularity monthly\n',
  ]);
  expect(code).toBeGreaterThan(0);
});

it('selects a place of an ensemble or of results, and asks for one', async () => {
  const point = ['--point', '10,21'];
  const svg = await svgOf(path('several.arrow'), ...point);
  expect(svg).toContain('10° N, 21° E');
  await plumecastHere('stats', path('several.arrow'), '--out', path('all.csv'));
  expect(await svgOf(path('all.csv'), ...point)).toContain('10° N, 21° E');
  const { code, err } = await plumecastHere('plot', path('several.arrow'));
  expect([code, err]).toEqual([
    1,
    `error: ${path('several.arrow')}: has several places, and a meteogram is of one; received "2 places"; allowed: one, by --point; some, by --ids, --points or --regions; or a map of all, by --map\n`,
  ]);
});

it('prints a chart of text without --out, of 80 characters where there is no terminal', async () => {
  const { code, out, err } = await plumecastHere('plot', path('rain.arrow'));
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^precipitation \(mm\), daily\n/);
  expect(out).toContain('█ median');
  const chart = out.split('\n').filter((line) => /[│└]/.test(line));
  expect(Math.max(...chart.map((line) => line.length))).toBe(80);
});

it('writes PNG with two pixels for each one', async () => {
  const { code } = await plumecastHere('plot', path('rain.arrow'), '--width', '300', '--out', path('out.png'));
  const bytes = readFileSync(path('out.png'));
  expect([code, bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16)]).toEqual([0, 'PNG', 600]);
});

it('says so where the machine has no fonts, or the package for PNG is missing', async () => {
  const svg = meteogram({ ensemble: rain });
  await expect(renderPng(svg, { subject: 'a.png', hasSystemFonts: false })).rejects.toThrow(
    'a.png: texts cannot be drawn, as this machine has no fonts; allowed: a font, such as the package fonts-dejavu-core of Debian; or an output that ends in .svg',
  );
  vi.doMock('@resvg/resvg-js', () => {
    throw new Error('Cannot find package');
  });
  await expect(renderPng(svg, { subject: 'a.png' })).rejects.toMatchObject({
    tag: 'package',
    message: 'PNG: needs the package @resvg/resvg-js, which cannot be loaded; allowed: npm install @resvg/resvg-js',
  });
  vi.doUnmock('@resvg/resvg-js');
});

it.each([
  [['--out', 'a.jpg'], 1, 'a.jpg: has the unknown ending .jpg; allowed: .svg, .png, .txt; or --format svg, png, text'],
  [['--variable', 'temp_max'], 1, 'does not hold temp_max'],
  [['--granularity', 'hourly'], 2, "argument 'hourly' is invalid"],
  [['--width', '3'], 1, '--width: cannot be used; received 3'],
] as const)('rejects %j', async (args, exitCode, message) => {
  const { code, out, err } = await plumecastHere('plot', path('rain.arrow'), ...args);
  expect([code, out]).toEqual([exitCode, '']);
  expect(err).toContain(message);
});

/** The lines of members of a panel. */
const memberLines = (panel: string) => linesOf(/class="members" d="([^"]*)"/.exec(panel)?.[1] ?? '');

/** Hourly rain of two members over two days and a half, and its temperature, as Open-Meteo gives them. */
function hourlyCsv(hours: number): string {
  const time = (hour: number) => new Date(Date.UTC(2026, 2, 28, hour)).toISOString().slice(0, 16);
  const rows = Array.from({ length: hours }, (_, hour) => `${time(hour)},${hour % 5},${hour % 3}`);
  const head =
    'latitude,longitude,elevation,utc_offset_seconds,timezone,timezone_abbreviation\n52.5,13.5,34,0,GMT,GMT\n\n';
  return `${head}time,precipitation (mm),precipitation_member01 (mm)\n${rows.join('\n')}\n`;
}

it('draws time steps as they are, and the days of the zone beside them', async () => {
  writeFileSync(path('hourly.csv'), hourlyCsv(60));
  const flags = ['--steps', '--time-zone', 'Europe/Berlin', '--theme', 'light', '--out', path('steps.svg')];
  const { code, err } = await plumecastHere('plot', path('hourly.csv'), ...flags);
  expect(code).toBe(0);
  expect(err).toContain('days of Europe/Berlin');
  const texts = elementsOf(read('steps.svg'), 'text').map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining(['precipitation (mm), amounts of time steps', 'precipitation (mm), daily']),
  );
  expect(texts.join()).toContain('hours of Europe/Berlin');
  const [steps] = panelsOf(read('steps.svg')).map(memberLines);
  // The first hour of Open-Meteo is that before the first time.
  expect(steps.map((line) => line.length)).toEqual([60, 60]);
});

it('draws time steps alone where they make no whole day, of the dates that are asked for alone', async () => {
  writeFileSync(path('short.csv'), hourlyCsv(12));
  const { code, err } = await plumecastHere('plot', path('short.csv'), '--steps', '--out', path('short.svg'));
  expect([code, panelsOf(read('short.svg')).length]).toEqual([0, 1]);
  expect(err).toContain('only time steps are drawn');
  const dates = ['--start-date', '2026-03-29', '--end-date', '2026-03-29'];
  await plumecastHere('plot', path('hourly.csv'), '--steps', ...dates, '--out', path('one.svg'));
  const [steps] = panelsOf(read('one.svg')).map(memberLines);
  expect(steps.map((line) => line.length)).toEqual([24, 24]);
});

it.each([
  ['daily values', ['rain.arrow', '--steps'], 'has no time steps within days'],
  ['a map', ['hourly.csv', '--steps', '--map', '--out', 'map.svg'], 'option --steps is not for a map'],
])('rejects time steps of %s', async (_, [file, ...flags], message) => {
  const { code, err } = await plumecastHere('plot', path(file), ...flags);
  expect(code).not.toBe(0);
  expect(err).toContain(message);
});
