import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { asInvoked } from '../../src/cli/command-words.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { commandFor } from '../../src/input/inspect/command-for.js';
import type { InspectedVariable, Inspection } from '../../src/input/inspect/inspection.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({});
afterAll(remove);

/** The words of a command as a shell takes them. */
function shellWords(text: string): string[] {
  const words = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gs) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/gs, (_, single, double) => single ?? double.replace('\\\\', '\\')),
  );
}

/** The command of an inspection as it is shown, lines that are broken put together again. */
function shownCommand(shown: string): string | undefined {
  const [, first, others] = /^ {2}command +(.*)\n((?: {4,}.*\n)*)/m.exec(shown) ?? [];
  return first === undefined ? undefined : `${first}\n${others}`.replace(/ \\\n +/g, ' ').trimEnd();
}

/** Inspects a file and runs what is recommended for each of its variables. */
async function assertRecommended(file: string, ...options: string[]): Promise<InspectedVariable[]> {
  const all: InspectedVariable[] = [];
  for (const more of [[], ['--no-values']]) {
    const { out, err } = await plumecastHere('inspect', file, '--json', ...more, ...options);
    expect(err).toBe('');
    const [{ variables }]: Inspection[] = JSON.parse(out);
    for (const { name, command, problem, needed, values } of variables) {
      const said = [command, problem, needed].filter((text) => text !== undefined);
      expect([name, said.length], JSON.stringify(said)).toEqual([name, 1]);
      if (command === undefined) continue;
      const [program, ...args] = shellWords(command);
      expect(program).toBe('plumecast');
      let outcome = await plumecastHere(...args);
      // Each of its weeks has a missing value, which is said; days are there.
      if (/has no value in any window/.test(outcome.err)) {
        expect(Number(values?.missing ?? 1)).toBeGreaterThan(0);
        outcome = await plumecastHere(...args.map((word) => (word === 'weekly' ? 'daily' : word)));
      }
      expect([command, outcome.code, outcome.err.replace(/^(note|warning): .*\n/gm, '')]).toEqual([command, 0, '']);
      expect(outcome.out.split('\n').length).toBeGreaterThan(2);
    }
    all.push(...variables);
  }
  const { out } = await plumecastHere('inspect', file, ...options);
  const [first] = all;
  if (first?.command !== undefined) expect(shownCommand(out)).toBe(first.command);
  return all;
}

const date = (day: number) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
const NAMES = ['precipitation', 'rain', 't2m', 'tmin', 'east_ridge', 'm01', 'nao'];
const UNITS = [undefined, 'mm', 'K', 'furlong', 'kg m-2 s-1'];

const shapes = fc.record({
  layout: fc.constantFrom('wide', 'long', 'series', 'variables'),
  name: fc.constantFrom(...NAMES),
  days: fc.integer({ min: 1, max: 40 }),
  stepHours: fc.constantFrom(24, 24, 24, 1, 6, 12),
  gap: fc.integer({ min: 0, max: 10 }),
  missing: fc.boolean(),
  places: fc.integer({ min: 0, max: 3 }),
  units: fc.constantFrom(...UNITS),
  given: fc.constantFrom<string[]>(
    [],
    ['--units', 'kg m-2 s-1'],
    ['--units', 'K'],
    ['--stamps', 'end'],
    ['--accumulation', 'per-step'],
  ),
  roles: fc.boolean(),
  file: fc.constantFrom('a.csv', 'two words.csv', "it's.csv", 'a&b;c.csv', '$x.csv', "\\'`hit`\\"),
});
type Shape = typeof shapes extends fc.Arbitrary<infer Value> ? Value : never;

/** A table of a shape as CSV. */
function csvOf({ layout, name, days, stepHours, gap, missing, places, units, roles }: Shape): string {
  const hasUnits = units !== undefined;
  const member = roles ? 'run' : 'member';
  const wide = layout === 'wide' ? [`${name}_m1`, `${name}_m2`] : [name];
  const isLong = layout === 'long' || layout === 'variables';
  const columns = [
    ...(places > 0 ? ['latitude', 'longitude'] : []),
    stepHours < 24 ? 'time' : 'date',
    ...(isLong ? [member] : []),
    ...(layout === 'variables' ? ['variable'] : []),
    ...(hasUnits ? ['units'] : []),
    ...(isLong ? ['value'] : wide),
  ];
  const rows: string[] = [];
  for (let place = 0; place < Math.max(1, places); place++) {
    for (let day = 0; day < days; day++) {
      if (gap > 0 && day % (gap + 3) === gap) continue;
      for (let hour = 0; hour < 24; hour += stepHours) {
        const time = stepHours < 24 ? `${date(day)}T${String(hour).padStart(2, '0')}:00:00Z` : date(day);
        const before = [...(places > 0 ? [40 + place, 3] : []), time];
        const value = missing && day % 5 === 1 ? '' : 280 + ((day * 7) % 5);
        const unit = hasUnits ? [units] : [];
        if (!isLong) rows.push([...before, ...unit, ...wide.map(() => value)].join());
        else
          for (const run of [1, 2])
            for (const each of layout === 'variables' ? [name, 'wind_speed'] : [undefined])
              rows.push([...before, run, ...(each === undefined ? [] : [each]), ...unit, value].join());
      }
    }
  }
  return `${[columns.join(), ...rows].join('\n')}\n`;
}

describe('the command that inspect recommends runs', () => {
  it('of tables of any layout, steps, gaps, names, units and options', async () => {
    const seen = { command: 0, problem: 0, needed: 0 };
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const path = join(folder, shape.file);
        await writeFile(path, csvOf(shape));
        const isLong = shape.layout === 'long' || shape.layout === 'variables';
        const roles = shape.roles && isLong ? ['--columns', 'member=run'] : [];
        for (const each of await assertRecommended(path, ...(shape.given as readonly string[]), ...roles))
          for (const key of ['command', 'problem', 'needed'] as const) if (each[key] !== undefined) seen[key]++;
      }),
      { numRuns: 40, seed: 14 },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(5);
  });

  it.each([24, 12] as const)('of rates that never fall, in steps of %i hours', async (stepHours) => {
    const steps = { layout: 'wide', name: 'precipitation', days: 30, stepHours, gap: 0, missing: false } as const;
    const shape: Shape = { ...steps, places: 0, units: 'kg m-2 s-1', given: [], roles: false, file: 'a.csv' };
    const path = join(folder, shape.file);
    await writeFile(path, csvOf(shape));
    const [{ command, warnings }] = await assertRecommended(path);
    // Nothing states which end of its step a time is.
    const times = 'times of precipitation_m1 are taken for the starts of steps, since nothing states it';
    const expected = stepHours === 24 ? undefined : [`${times}; --stamps decides otherwise`];
    expect([command, warnings]).toEqual([expect.not.stringContaining('--accumulation'), expected]);
  });

  it.each([
    ['the usual reference years', 8401, 10_957, ''],
    ['years of its own', 12_000, 4_000, ' --reference 2003-2013'],
  ])('of a history of %s', async (_, initDate, days, reference) => {
    const path = join(folder, 'history.arrow');
    const history = demoTable('precipitation', { initDate, days, members: 1, seed: 4 });
    await writeFile(path, await encodeTable(history, 'arrow'));
    for (const { command } of await assertRecommended(path)) {
      expect(command).toBe(`plumecast climatology ${path} --variable precipitation --granularity weekly${reference}`);
    }
  });

  it('of gridded files, also of arrays of one variable', async () => {
    const locations = [0, 1, 2, 3].map((i) => ({ latitude: 40 - (i >> 1), longitude: i % 2 }));
    await writeFile(
      join(folder, 'grid.arrow'),
      await encodeTable(demoTable('temp_max', { days: 20, members: 3, locations }), 'arrow'),
    );
    const file = join(folder, 'grid.nc');
    expect((await plumecastHere('convert', join(folder, 'grid.arrow'), file)).code).toBe(0);
    const [one] = await assertRecommended(file);
    expect(one.command).toBe(`plumecast stats ${file} --variable temp_max --granularity weekly`);
  });

  it.each([
    [
      'several columns',
      'date,member,NAO index,AO index',
      (day: number) => ['a', day, 2 * day],
      ['NAO index', 'AO index'],
    ],
    ['one column', 'date,member,nao', (day: number) => ['a', day], ['nao']],
    ['one series', 'date,nao', (day: number) => [day], ['nao']],
    ['members by their columns', 'date,nao_m1,nao_m2', (day: number) => [day, day + 1], ['nao']],
    ['members of two', 'date,nao_m1,nao_m2,ao_m1,ao_m2', (day: number) => [day, 1, 2, day], ['nao', 'ao']],
    ['beside a known one', 'date,member,nao,precipitation', (day: number) => ['a', day, 1], ['nao', undefined]],
    [
      'the values of a column of variables',
      'date,member,variable,value',
      (day: number) => ['a', 'nao', day],
      ['nao', 'ao'],
    ],
    // Nothing says that they are named: these are members.
    ['numbered columns', 'date,m1,m2', (day: number) => [day, day], [undefined]],
  ])('keeps names of no registry: %s', async (title, header, cellsOf, names) => {
    const path = join(folder, 'own.csv');
    const rows = Array.from({ length: 14 }, (_, day) => [date(day), ...cellsOf(day)].join());
    const others = title.includes('variables') ? rows.map((row) => row.replace('nao', 'ao')) : [];
    await writeFile(path, `${[header, ...rows, ...others].join('\n')}\n`);
    const found = await assertRecommended(path);
    const recommended = found.slice(0, names.length).map(({ command, needed }) => {
      const [, weekly = command] =
        /^--window, .*: (plumecast .*); or --variable, where it is one of temp_/.exec(`${needed}`) ?? [];
      return shellWords(`${weekly}`).slice(1);
    });
    for (const [i, args] of recommended.entries()) {
      const name = names[i];
      const own = name === undefined ? [] : ['--variable', name];
      if (!args.includes('precipitation'))
        expect(args).toEqual(['stats', path, ...own, '--window', 'mean', '--granularity', 'weekly']);
      const { code, out } = await plumecastHere(...args, '--format', 'json');
      expect([code, JSON.parse(out)[0].variable ?? undefined]).toEqual([
        0,
        args.includes('precipitation') ? 'precipitation' : name,
      ]);
    }
  });

  it('names a file whose name begins with a hyphen so that it is not taken for an option', () => {
    const rain = { name: 'rain', variable: 'precipitation' };
    expect(commandFor('-rain.csv', rain, { values: false, options: {} })).toEqual({
      command: 'plumecast stats ./-rain.csv --variable precipitation --granularity daily',
    });
  });

  it('begins with npx if npx started the running command', async () => {
    const file = join(folder, 'rain.csv');
    await writeFile(file, 'date,rain\n2024-01-01,1\n2024-01-02,2\n');
    vi.stubEnv('npm_command', 'exec');
    vi.stubEnv('npm_lifecycle_script', "'plumecast'");
    const { out } = await plumecastHere('inspect', file);
    vi.unstubAllEnvs();
    expect(shownCommand(out)).toBe(`npx plumecast stats ${file} --variable precipitation --granularity daily`);
  });

  it('begins with npx after npm run demo, by which newcomers begin in a clone', () => {
    vi.stubEnv('npm_lifecycle_event', 'demo');
    const command = asInvoked('plumecast stats rain.csv');
    vi.unstubAllEnvs();
    expect([command, asInvoked('plumecast stats')]).toEqual(['npx plumecast stats rain.csv', 'plumecast stats']);
  });

  it('for an unknown variable is part of what is needed for weeks: how days are combined', async () => {
    const file = join(folder, 'unknown.csv');
    const dates = Array.from({ length: 14 }, (_, day) => date(day));
    await writeFile(file, `date,m1,m2\n${dates.map((day) => `${day},1,2\n`).join('')}`);
    const [{ needed }] = await assertRecommended(file);
    const [, command] =
      /^--window, .*: plumecast (.*); or --variable, where it is one of temp_/.exec(`${needed}`) ?? [];
    expect(command).toBe(`stats ${file} --window mean --granularity weekly`);
    const { code, out } = await plumecastHere(...shellWords(command), '--quantiles', '0.5', '--format', 'csv');
    expect([code, out.split('\n')[1]]).toEqual([0, ',,,,2024-W01,2024-01-01,2024-01-07,1,7,2,1.5,1.5']);
    expect((await plumecastHere('stats', file, '--variable', 'precipitation')).code).toBe(0);
  });

  it('for days of an unknown variable needs no more', async () => {
    const file = join(folder, 'days.csv');
    await writeFile(file, 'date,m1,m2\n2024-01-01,1,2\n2024-01-02,1,2\n');
    const [{ command }] = await assertRecommended(file);
    expect(command).toBe(`plumecast stats ${file} --granularity daily`);
  });
});
