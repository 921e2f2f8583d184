import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flagOf } from '../../src/cli/library-options.js';
import { program } from '../../src/cli/program.js';
import { allCommands } from '../../src/cli/run-all.js';
import type { PLACES, VALUES } from '../../src/cli/value-rows.js';
import { haveCases, inputNames, type OptionInput, writeOptionInputs } from './option-inputs.js';
import { folderWith, type Outcome, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

/*
 * Every option about what is in files, of commands that read one, over every kind of input: it changes what the command
 * gives or says, or it is an error. What an option says may be what is so; those are the exceptions.
 */

const REGION = [
  [6.6, 48.6],
  [8.4, 48.6],
  [8.4, 50.4],
  [6.6, 50.4],
  [6.6, 48.6],
];
const { folder, remove } = folderWith({
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
  virtualChunks: { given: ['/data/grib'] },
  missingChunks: { given: ['fill'] },
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
const SAYS_WHAT_IS: readonly [option: keyof typeof WORDS, of: RegExp, why: string][] = [
  ['sort', /./, 'rows are in order'],
  ['missing', /map/, 'no value of the first day is 4.5'],
  ['missing', /steps\.nc|run\.grib2|kerchunk|open-meteo/, 'no value is 4.5'],
  ['regionWeights', /kerchunk/, 'what it changes is a file'],
  ['virtualChunks', /kerchunk|icechunk/, 'its chunks are where they may be anyway'],
  ['missingChunks', /kerchunk|icechunk|zarr/, 'no chunk is missing'],
];

/** How a command reads an input, and what it then gives, if that is not what it prints. */
interface Reading {
  readonly words: (input: OptionInput) => readonly string[];
  readonly files?: RegExp;
  /** Whether it reads an input; by default all. */
  readonly isFor?: (name: string) => boolean;
}

const DAILY = /^(daily|mem)/;

const CSV = ['--format', 'csv'];
const OUT = at('out');
const COMMANDS: Readonly<Record<string, Reading>> = {
  stats: { words: ({ path, variable }) => [path, '-v', variable, ...CSV] },
  convert: { words: ({ path, variable }) => [path, '-', '--to', 'csv', '-v', variable] },
  climatology: {
    words: ({ path, variable, name }) => [
      ...[path, '-v', variable, '--fewer-years', ...CSV],
      ...['--reference', name === 'steps.nc' ? '2023-2023' : '2024-2026'],
    ],
  },
  inspect: { words: ({ path }) => [path] },
  plot: { words: ({ path, variable, point }) => [path, '-v', variable, '--point', point] },
  'plot --steps': {
    words: ({ path, variable, point }) => [path, '-v', variable, '--point', point],
    isFor: (name) => !DAILY.test(name),
  },
  'plot --map': {
    words: ({ path, variable }) => [path, '-v', variable, '--out', '-', '--format', 'svg'],
    isFor: (name) => name !== 'open-meteo.json',
  },
  blend: {
    words: ({ path, later, variable }) => [path, later, '-v', variable, ...CSV],
    isFor: (name) => !/steps\.nc|run/.test(name),
  },
  batch: { words: ({ path, variable }) => [path, '-v', variable, '--out', OUT, ...CSV], files: /\.csv$/ },
  verify: {
    words: ({ path, variable, observed }) => [
      path,
      '-v',
      variable,
      '--observed',
      at(observed),
      '--by',
      'lead,place',
      ...CSV,
    ],
  },
  ingest: {
    words: ({ path, variable }) => [
      ...['--store', OUT, '--short-term', path, '-v', variable],
      ...(variable === 'precipitation' ? ['--init-time', '2026-03-02T00:00:00Z', '--generation', 'g'] : []),
    ],
    files: /\.(blocks|arrow)$/,
  },
};

/** What was written to a folder: the contents of files with such names. */
function written(ending: RegExp): string {
  if (!existsSync(OUT)) return '';
  const names = readdirSync(OUT, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name));
  return names
    .map((name) => readFileSync(join(OUT, name), 'base64'))
    .sort()
    .join();
}

describe.skipIf(!haveCases)('an option about what is in files', () => {
  const inputs = new Map<string, OptionInput>();
  beforeAll(async () => {
    for (const input of await writeOptionInputs(folder)) inputs.set(input.name, input);
  });

  const cases = Object.entries(COMMANDS).flatMap(([command, { isFor = () => true }]) =>
    inputNames()
      .filter(isFor)
      .map((name) => [command, name] as const),
  );
  it.each(cases)('of %s changes what becomes of %s, or is an error', async (command, name) => {
    const [called, ...always] = command.split(' ');
    const { words, files } = COMMANDS[command];
    const input = inputs.get(name) as OptionInput;
    const flags = program(allCommands())
      .commands.find((each) => each.name() === called)
      ?.options.map(({ long }) => long);
    const plains = new Map<string, Outcome>();
    const run = async (more: readonly string[]): Promise<Outcome> => {
      rmSync(OUT, { recursive: true, force: true });
      const all = [called, ...always, ...words(input), ...more];
      // Threads of batches run what is built.
      const { code, out, err } = called === 'batch' ? plumecast(all) : await plumecastHere(...all);
      return { code, err: err.replace(/in \d+:\d+/, ''), out: files === undefined ? out : written(files) };
    };
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
      if (isSame && !SAYS_WHAT_IS.some(([each, of]) => each === option && of.test(`${command} ${name}`)))
        without.push(flag);
    }
    expect(plains.size).toBeGreaterThan(0);
    expect(without).toEqual([]);
  });
});
