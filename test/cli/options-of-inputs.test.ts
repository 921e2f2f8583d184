import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagOf } from '../../src/cli/library-options.js';
import { program } from '../../src/cli/program.js';
import { allCommands } from '../../src/cli/run-all.js';
import type { PLACES, VALUES } from '../../src/cli/value-rows.js';
import { casePath } from '../reference/data-folder.js';
import { folderWith, type Outcome } from './run-command.js';
import { plumecastHere } from './run-here.js';

/*
 * Every option about what is in files, of commands that read one, over every kind of input: it changes what the command
 * gives or says, or it is an error. What an option says may be what is so; those are the exceptions.
 */

const date = (day: number, hour = 0) => new Date(Date.UTC(2026, 2, 2 + day, hour)).toISOString();
const places = [
  ['A', 'Asia/Tokyo'],
  ['B', 'Europe/Berlin'],
] as const;
const lines = (count: number, timeOf: (row: number) => string) =>
  places.flatMap(([id, zone], p) =>
    Array.from({ length: count }, (_, i) =>
      [timeOf(i), 50 - p, 7 + p, id, zone, ((i * 7 + p) % 11) + 0.5, ((i * 5 + p) % 9) + 0.5].join(','),
    ),
  );
const REGION = [
  [6.6, 48.6],
  [8.4, 48.6],
  [8.4, 50.4],
  [6.6, 50.4],
  [6.6, 48.6],
];
const { folder, remove } = folderWith({
  'daily.csv': [
    'date,latitude,longitude,id,zone,member_0 (mm),member_1 (mm)',
    ...lines(20, (day) => date(day).slice(0, 10)),
    '',
  ].join('\n'),
  'steps.csv': [
    'time,latitude,longitude,id,zone,precipitation_member00 (mm),precipitation_member01 (mm)',
    ...lines(40, (step) => date(0, 6 * step)),
    '',
  ].join('\n'),
  'points.csv': 'id,latitude,longitude,elevation\nF1,49.4,7.6,300\nF2,49.6,7.1,10\n',
  'regions.geojson': JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { name: 'one', code: 'x' },
        geometry: { type: 'Polygon', coordinates: [REGION] },
      },
    ],
  }),
});
afterAll(remove);
const at = (name: string) => join(folder, name);

/** The words of an option, and those that it needs besides. */
interface Words {
  readonly given: readonly string[];
  readonly besides?: readonly string[];
}

const OF_POINTS = ['--points', at('points.csv')];
const OF_REGIONS = ['--regions', at('regions.geojson')];
const WORDS: Readonly<Record<keyof typeof VALUES | keyof typeof PLACES, Words>> = {
  units: { given: ['inch'] },
  model: { given: ['icon'] },
  stamps: { given: ['end'] },
  accumulation: { given: ['since-start'] },
  missing: { given: ['4.5'] },
  sort: { given: [] },
  sheet: { given: ['Weather'] },
  decimal: { given: [','] },
  dateFormat: { given: ['mm/dd/yyyy'] },
  calendar: { given: ['noleap'] },
  array: { given: ['nothing'] },
  coordinates: { given: ['latitude=longitude,longitude=latitude'] },
  init: { given: ['2020-01-01'] },
  memberDimension: { given: ['time'] },
  bbox: { given: ['48.9,6,49.1,9'] },
  ids: { given: ['B'] },
  timeZone: { given: ['Asia/Tokyo'] },
  dayStart: { given: ['06'] },
  hours: { given: ['06-18'] },
  splitExtremes: { given: [], besides: ['--time-zone', 'Asia/Kolkata'] },
  timeZones: { given: ['zone'] },
  points: { given: OF_POINTS.slice(1) },
  pointMethod: { given: ['bilinear'], besides: OF_POINTS },
  landMask: { given: [at('mask.nc')], besides: OF_POINTS },
  lapseRate: { given: ['6.5'], besides: OF_POINTS },
  modelElevation: { given: [at('heights.nc')], besides: OF_POINTS },
  regions: { given: OF_REGIONS.slice(1) },
  regionName: { given: ['code'], besides: OF_REGIONS },
  regionStatistic: { given: ['max'], besides: OF_REGIONS },
  areaCondition: { given: ['>3'], besides: OF_REGIONS },
  minAreaShare: { given: ['1'], besides: OF_REGIONS },
  mean: { given: [], besides: ['--bbox', '48,6,51,10'] },
  regionWeights: { given: [at('weights.arrow')], besides: OF_REGIONS },
};

/** What an option may say that is so already: what is seen in the values alone does not make it an error. */
const SAYS_WHAT_IS: readonly [option: keyof typeof WORDS, kind: RegExp, why: string][] = [
  ['sort', /./, 'rows are in order'],
  ['missing', /steps\.nc|run\.grib2/, 'no value is 4.5'],
];

const INPUTS = [
  'daily.csv',
  'daily.arrow',
  'daily.parquet',
  'daily.nc',
  'daily.zarr',
  'steps.csv',
  'steps.nc',
  'run.grib2',
];
const VARIABLES: Readonly<Record<string, string>> = { 'steps.nc': 'tp', 'run.grib2': 'temp_mean' };
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  stats: ['--format', 'csv'],
  convert: ['-', '--to', 'csv'],
  climatology: ['--fewer-years', '--format', 'csv'],
  inspect: [],
};

const areThere = ['days/era5-before-2024.nc', 'runs/one_run.grib2'].map(casePath).every((path) => path !== undefined);

describe.skipIf(!areThere)('an option about what is in files', () => {
  beforeAll(async () => {
    for (const name of INPUTS.filter((each) => /^daily\.[^c]/.test(each)))
      expect(await plumecastHere('convert', at('daily.csv'), at(name), '-v', 'precipitation')).toMatchObject({
        code: 0,
      });
    copyFileSync(casePath('days/era5-before-2024.nc') as string, at('steps.nc'));
    copyFileSync(casePath('runs/one_run.grib2') as string, at('run.grib2'));
  });

  const cases = Object.keys(COMMANDS).flatMap((name) => INPUTS.map((input) => [name, input] as const));
  it.each(cases)('of %s changes what becomes of %s, or is an error', async (name, input) => {
    const flags = program(allCommands())
      .commands.find((each) => each.name() === name)
      ?.options.map(({ long }) => long);
    const variable = flags?.includes('--variable') ? ['-v', VARIABLES[input] ?? 'precipitation'] : [];
    const years = name === 'climatology' ? ['--reference', input === 'steps.nc' ? '2023-2023' : '2024-2026'] : [];
    const plains = new Map<string, Outcome>();
    const run = async (words: readonly string[]) =>
      plumecastHere(name, at(input), ...COMMANDS[name], ...years, ...variable, ...words);
    const without: string[] = [];
    for (const [option, { given, besides = [] }] of Object.entries(WORDS)) {
      const flag = flagOf(option as never);
      if (!flags?.includes(flag)) continue;
      const plain = plains.get(besides.join()) ?? (await run(besides));
      plains.set(besides.join(), plain);
      if (plain.code !== 0) {
        // What the option needs besides is no way to read this input: that is the error.
        expect([option, besides.length > 0], plain.err).toEqual([option, true]);
        continue;
      }
      const found = await run([...besides, flag, ...given]);
      const isSame = found.code === 0 && found.out === plain.out && found.err === plain.err;
      if (isSame && !SAYS_WHAT_IS.some(([each, kind]) => each === option && kind.test(input))) without.push(flag);
    }
    expect(plains.size).toBeGreaterThan(0);
    expect(without).toEqual([]);
  });
});
