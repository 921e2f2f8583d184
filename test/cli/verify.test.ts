import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isFullCheck } from '../full-check.js';
import { normal, randomValues } from '../skill/random-cases.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const YEARS = [2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008];
const STATIONS = ['a', 'b', 'c'].map((id, i) => ({ id, latitude: 50 + i, longitude: 10 - i }));
const dateOf = (year: number, day: number) => new Date(Date.UTC(year, 2, 1 + day)).toISOString().slice(0, 10);
const random = randomValues(5);
/** The same for a station, year and day of March and April. */
const truth = new Map<string, number>();
for (const year of [1999, 2000, ...YEARS])
  for (const { id } of STATIONS)
    for (let day = 0; day < 61; day++) truth.set(`${id} ${year} ${day}`, 5 + 3 * normal(random));
const truthAt = (id: string, year: number, day: number) => truth.get(`${id} ${year} ${day}`) as number;

/** A run of 40 days from 1 March on: members scatter around the truth. */
function run(year: number, { stations = STATIONS, bias = 0, spread = 2 } = {}): string {
  const own = randomValues(year);
  const rows = stations.flatMap(({ id, latitude, longitude }) =>
    Array.from({ length: 40 }, (_, day) => {
      const members = [0, 1, 2, 3].map(() => (truthAt(id, year, day) + bias + spread * normal(own)).toFixed(4));
      return [dateOf(year, day), id, latitude, longitude, ...members].join(',');
    }),
  );
  return `date,id,latitude,longitude,m0,m1,m2,m3\n${rows.join('\n')}\n`;
}

function history(days: number, years: readonly number[], stations = STATIONS): string {
  const rows = stations.flatMap(({ id, latitude, longitude }) =>
    years.flatMap((year) =>
      Array.from({ length: year === years[years.length - 1] ? days : 61 }, (_, day) =>
        [dateOf(year, day), id, latitude, longitude, truthAt(id, year, day).toFixed(4)].join(','),
      ),
    ),
  );
  return `date,id,latitude,longitude,temp_mean\n${rows.join('\n')}\n`;
}

const all = [1999, 2000, ...YEARS];
const { folder, remove } = folderWith({
  ...Object.fromEntries(YEARS.map((year) => [`run-${year}.csv`, run(year)])),
  ...Object.fromEntries(YEARS.map((year) => [`biased-${year}.csv`, run(year, { bias: 4 })])),
  'north.csv': run(2008, { stations: STATIONS.slice(1) }),
  'south.csv': run(2008, { stations: STATIONS.slice(0, 1) }),
  'observed.csv': history(61, all),
  'earlier.csv': history(15, all),
  'first.csv': history(61, all.slice(0, 6)),
  'second.csv': history(61, all.slice(6)),
  'others.csv': history(
    61,
    all,
    [...STATIONS.slice(0, 2), { id: 'far', latitude: -50, longitude: 100 }]
      .map((one) => ({
        ...one,
        id: one.id === 'far' ? 'a' : one.id,
      }))
      .slice(0, 2),
  ),
  'unnamed.csv': history(61, all)
    .replace('date,id', 'date,name')
    .replaceAll(/,([abc]),/g, ',station,'),
  'kelvin.csv': history(61, all).replace('temp_mean', 'value'),
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const verify = (...args: string[]) =>
  plumecastHere('verify', ...args.map((arg) => (/^[\w-]+\.(csv|json)$/.test(arg) ? at(arg) : arg)));
const runs = YEARS.map((year) => `run-${year}.csv`);
const common = ['--variable', 'temp_mean', '--observed', 'observed.csv', '--granularity', 'weekly'];
type Row = Record<string, string | number | null>;
const rowsOf = async (...args: string[]): Promise<Row[]> => {
  const { code, out, err } = await verify(...args, '--format', 'json');
  expect([code, err.replaceAll(/^(warning|note):.*\n/gm, '')]).toEqual([0, '']);
  return JSON.parse(out);
};
const cell = (rows: readonly Row[], score: string, of: string | null = null) =>
  rows.find((row) => row.score === score && (row.of ?? null) === of) as Row;

describe('plumecast verify', () => {
  it('has a row for each lead and score, with the documented columns', async () => {
    const { out, err } = await verify(...runs, ...common, '--confidence', '0.9');
    const [head] = out.split('\n');
    expect(head).toBe(
      'variable,units,granularity,lead,lead_unit,cases,missing,blocks,score,of,value,value_low,value_high,reference,reference_low,reference_high,skill,skill_low,skill_high,p_value,significant',
    );
    expect(err).toContain('scored at 3 places of forecasts, with the one of observations with the same id');
    expect(err).toContain('the climatology is of the years 1999-2008 of');
    expect(err).toContain(
      'no init time states when each of 8 runs starts: taken for its first day, such as 2001-03-01',
    );
    const crps = (await rowsOf(...runs, ...common)).filter(({ score }) => score === 'crps');
    // Complete weeks of runs that start on any day of the week: five begin within 40 days, the last not always.
    expect(crps.map(({ lead }) => lead)).toEqual([0, 1, 2, 3, 4]);
    expect(crps[0]).toMatchObject({ lead_unit: 'weeks', cases: 24, missing: 0, blocks: 8 });
    expect(crps[0].skill as number).toBeGreaterThan(0.3);
  });

  it('keeps no starts apart where no intervals are wanted', async () => {
    const [usual, none] = [await rowsOf(...runs, ...common), await rowsOf(...runs, ...common, '--block', 'none')];
    expect(new Set(none.map(({ blocks }) => blocks))).toEqual(new Set([1]));
    expect(none.map((row) => ({ ...row, blocks: '' }))).toEqual(usual.map((row) => ({ ...row, blocks: '' })));
    const { err } = await verify(...runs, ...common, '--block', 'none', '--confidence', '0.9');
    expect(err).toMatch(/intervals need more blocks of time/);
  });

  it('groups by place, season and start, or all together', async () => {
    const places = await rowsOf(...runs, ...common, '--by', 'place');
    expect(
      places.filter(({ score }) => score === 'crps').map(({ id, latitude, cases }) => [id, latitude, cases]),
    ).toEqual([
      ['a', 50, 39],
      ['b', 51, 39],
      ['c', 52, 39],
    ]);
    const together = await rowsOf(...runs, ...common, '--by', 'none');
    expect(cell(together, 'crps')).toMatchObject({ cases: 117 });
    const parts = await rowsOf(...runs, ...common, '--by', 'start_month,season');
    expect(cell(parts, 'crps')).toMatchObject({ start_month: '03', season: 'MAM', cases: 117 });
    const total = places
      .filter(({ score }) => score === 'mae')
      .reduce((sum, { value }) => sum + (value as number) / 3, 0);
    expect(cell(together, 'mae').value as number).toBeCloseTo(total, 12);
  });

  it('is against another forecast, with which it shares its cases, and against itself without skill', async () => {
    const biased = YEARS.map((year) => `biased-${year}.csv`);
    const rows = await rowsOf(...biased, ...common, '--by', 'none', '--against', `${folder}/run-*.csv`);
    const own = await rowsOf(...runs, ...common, '--by', 'none');
    expect(cell(rows, 'crps').reference).toBe(cell(own, 'crps').value);
    expect(cell(rows, 'crps').skill as number).toBeLessThan(-1);
    expect(cell(rows, 'bias').value as number).toBeCloseTo((cell(own, 'bias').value as number) + 4, 1);
    const same = await rowsOf(...runs, ...common, '--by', 'none', '--against', `${folder}/run-*.csv`);
    expect(cell(same, 'crps').skill).toBe(0);
  });

  it('draws a state as the forecasts that it is of, as SVG and PNG, and by the labels that it has', async () => {
    const [state, direct, later, png, panels] = ['figure-state.json', 'a.svg', 'b.svg', 'c.png', 'd.svg'].map(at);
    const figure = ['--figure', 'reliability', '--theme', 'light', '--event', 'above'];
    const first = await verify(...runs, ...common, '--state', state, ...figure, '--out', direct);
    expect(first.code).toBe(0);
    expect(await verify(state, ...figure, '--out', later)).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(later, 'utf8')).toBe(readFileSync(direct, 'utf8'));
    expect(readFileSync(later, 'utf8')).toContain('leads 0 to 4 weeks · 117 cases · starts of 8 years');
    expect((await verify(state, ...figure, '--out', png)).code).toBe(0);
    expect(readFileSync(png).toString('latin1', 1, 4)).toBe('PNG');
    await verify(state, ...figure, '--by', 'lead', '--out', panels);
    const headings = [...readFileSync(panels, 'utf8').matchAll(/class="heading"[^>]*>([^<]*)</g)].map(
      ([, text]) => text,
    );
    expect(headings).toEqual([0, 1, 2, 3, 4].map((lead) => `above normal, lead ${lead} weeks`));
    const printed = await verify(state, '--figure', 'skill', '--confidence', '0.9');
    expect(printed.out).toContain('Skill of the CRPS by lead: temp mean, weekly means');
    rmSync(state);
  });

  if (isFullCheck) {
    it('draws a map of places', async () => {
      const { code } = await verify(...runs, ...common, '--figure', 'map', '--out', at('map.svg'));
      const svg = readFileSync(at('map.svg'), 'utf8');
      expect([code, svg.match(/<circle/g)?.length]).toEqual([0, 3]);
      expect(svg).toContain('Skill of the CRPS: temp mean, weekly means');
    });
  }

  it.each([
    [['--figure', 'roc', '--table', 'roc'], 'error: --figure is in place of --table: choose one'],
    [['--event', 'above'], 'error: option --event needs --figure'],
    [['--format', 'svg'], '--format: is a form of figures; received "svg"; allowed: --figure NAME'],
    [['--figure', 'roc', '--format', 'csv'], '--format: is no form of pictures; received "csv"; allowed: .svg, .png'],
    [['--figure', 'roc', '--out', '/tmp/a.csv'], '/tmp/a.csv: has the unknown ending .csv; allowed: .svg, .png'],
    [['--figure', 'skill', '--score', 'wind'], 'score: is not in it; received "wind"'],
  ])('%s is an error', async (args, message) => {
    const { code, err } = await verify(...runs, ...common, ...args);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(message);
  });

  it('writes diagrams: reliability, ROC, ranks', async () => {
    const reliability = await rowsOf(...runs, ...common, '--by', 'none', '--table', 'reliability', '--condition', '>5');
    const ofCondition = reliability.filter(({ event }) => event === '>5');
    expect(ofCondition.map(({ probability }) => probability)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(ofCondition.reduce((sum, row) => sum + (row.cases_of_probability as number), 0)).toBe(117);
    const roc = await rowsOf(...runs, ...common, '--by', 'none', '--table', 'roc', '--condition', '>5');
    expect(roc.filter(({ event }) => event === '>5').at(-1)).toMatchObject({ hit_rate: 1, false_alarm_rate: 1 });
    const ranks = await rowsOf(...runs, ...common, '--by', 'none', '--table', 'ranks');
    expect(ranks.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4]);
    expect(ranks.reduce((sum, row) => sum + (row.cases_of_rank as number), 0)).toBe(117);
  });

  it('joins pieces of a history', async () => {
    const pieces = await rowsOf(
      ...[
        ...runs,
        '--variable',
        'temp_mean',
        '--granularity',
        'weekly',
        '--observed',
        'first.csv',
        '--observed',
        'second.csv',
      ],
    );
    expect(pieces).toEqual(await rowsOf(...runs, ...common));
  });

  it('leaves places without observations out, and says so', async () => {
    const { err, out } = await verify(...runs, '--variable', 'temp_mean', '--observed', 'others.csv', '--by', 'place');
    expect(err).toContain('1 place of forecasts without observations is left out');
    expect(out).not.toContain(',c,');
  });

  it('matches by the nearest place where there are no ids', async () => {
    const { err } = await verify(...runs, '--variable', 'temp_mean', '--observed', 'unnamed.csv');
    expect(err).toContain(
      'scored at 3 places of forecasts, with the nearest place of observations, at most 0 degrees away',
    );
  });

  it('takes the unit of observations', async () => {
    const inKelvin = ['--observed', 'kelvin.csv', '--observed-columns', 'value=value', '--observed-units', 'K'];
    const rows = await rowsOf(...runs, '--variable', 'temp_mean', ...inKelvin, '--by', 'none');
    expect(cell(rows, 'bias').value as number).toBeGreaterThan(270);
  });
});

describe('the state of plumecast verify', () => {
  const state = (...args: string[]) => verify(...args, '--by', 'none', '--condition', '>6');
  const text = (name: string) => readFileSync(at(name), 'utf8');

  it('of days that are added, and of shards that are merged, has the bytes of one pass', async () => {
    const whole = await state(...runs, ...common, '--state', at('whole.json'), '--confidence', '0.9');
    expect(whole.code).toBe(0);
    const dated = common.map((arg) => (arg === 'observed.csv' ? 'earlier.csv' : arg));
    const first = await state(...runs, ...dated, '--state', at('days.json'), '--reference', '1999-2007');
    expect(first.err).toContain('not scored: ');
    const before = text('days.json');
    const second = await state(...runs, ...common, '--state', at('days.json'), '--reference', '1999-2007');
    expect(second.err).toContain('not scored again: ');
    expect(text('days.json')).not.toBe(before);
    const once = await state(...runs, ...common, '--state', at('once.json'), '--reference', '1999-2007');
    expect([second.out, text('days.json')]).toEqual([once.out, text('once.json')]);

    await state(...runs.slice(0, 3), ...common, '--state', at('a.json'));
    const { code } = await state(...runs.slice(3), ...common, '--state', at('b.json'));
    expect(code).toBe(0);
    const merged = await verify('a.json', 'b.json', '--state', at('merged.json'), '--confidence', '0.9');
    expect([merged.out, text('merged.json')]).toEqual([whole.out, text('whole.json')]);
  });

  it('has each case once, also where only the places are others', async () => {
    const twice = await state(...runs, ...common, '--state', at('whole.json'));
    expect([twice.code, twice.err.includes('not scored again: 39 windows')]).toEqual([0, true]);
    const again = await verify('whole.json', 'a.json');
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toContain(
      'has windows that are scored already: a case counts once; received "the run 2001-03-01,',
    );
    const parts = ['north.csv', 'south.csv'];
    for (const part of parts) await state(part, ...common, '--state', at(part.replace('csv', 'json')));
    const { out } = await verify('north.json', 'south.json');
    // Five weeks at three places.
    expect(out.split('\n')[1]).toContain(',15,');
  });

  it('is not mixed with another one, nor replaced where something fails', async () => {
    const before = text('whole.json');
    for (const [args, message] of [
      [['--granularity', 'monthly', '--by', 'none'], 'has another granularity than'],
      [['--granularity', 'weekly', '--by', 'none', '--against', 'persistence'], 'has another against than'],
      [['--granularity', 'weekly', '--by', 'lead'], 'has another by than'],
    ] as const) {
      const others = ['--variable', 'temp_mean', '--observed', 'observed.csv', '--state', at('whole.json')];
      const { code, err } = await verify('north.csv', ...others, ...args);
      expect([code, err.includes(message)]).toEqual([1, true]);
    }
    expect(text('whole.json')).toBe(before);
    const damaged = folderWith({ 'state.json': '{"format":"plumecast verification","version":1,"opt' });
    const { code, err } = await plumecastHere('verify', join(damaged.folder, 'state.json'));
    expect([code, err.includes('is no complete JSON')]).toEqual([1, true]);
    damaged.remove();
    rmSync(at('whole.json'));
    expect(existsSync(at('whole.json'))).toBe(false);
  });
});

describe('what plumecast verify cannot use', () => {
  it.each([
    [['run-2001.csv', '--variable', 'temp_mean'], 2, 'forecasts need --observed PATH'],
    [['run-2001.csv', ...common, '--seed', '2'], 2, '--samples and --seed need --confidence LEVEL'],
    [['run-2001.csv', ...common, '--by', 'lead,speed'], 1, '--by: unknown; received "speed"'],
    [['run-2001.csv', ...common, '--half-width', '3'], 1, 'is for days and rolling windows, not for weekly ones'],
    [['run-2001.csv', 'run-2001.csv', ...common], 1, 'starts when another run does'],
    [
      ['run-2001.csv', ...common, '--confidence', '0.9'],
      1,
      'intervals need more blocks of time with cases; received 1',
    ],
    [['run-2001.csv', ...common, '--condition', '>q95'], 1, 'at least 20 other years'],
    [['run-2001.csv', ...common, '--windows', 'all'], 2, '--windows and --granularity cannot be given together'],
    [['run-2001.csv', '--variable', 'temp_mean', '--observed', 'run-2002.csv'], 1, 'is an ensemble'],
  ])('%s', async (args, code, message) => {
    const found = await verify(...args);
    expect([found.code, found.out]).toEqual([code, '']);
    expect(found.err).toContain(message);
  });

  it('days that are not common, and windows without a climatology', async () => {
    const late = folderWith({
      'late.csv': `date,temp_mean\n2020-01-01,5\n2020-01-02,6\n`,
      'run.csv': `date,m0,m1\n2001-03-01,5,6\n2001-03-02,5,7\n`,
    });
    const args = [join(late.folder, 'run.csv'), '--observed', join(late.folder, 'late.csv'), '--variable', 'temp_mean'];
    expect((await plumecastHere('verify', ...args)).err).toContain(
      'has no days in common with the windows of the forecasts; received "2020-01-01 to 2020-01-02"',
    );
    late.remove();
    const { code, err } = await verify(
      'run-2001.csv',
      ...common.slice(0, 4),
      '--windows',
      'all',
      '--against',
      'climatology',
    );
    expect([code, err.includes('do not recur in each year')]).toEqual([1, true]);
  });

  it('warns of runs in a row, whose leads would be years', async () => {
    const { folder: own, remove: removeOwn } = folderWith({
      'row.csv': [run(2001), run(2002).split('\n').slice(1).join('\n')].join(''),
    });
    const { err, code } = await verify(join(own, 'row.csv'), ...common, '--sort');
    removeOwn();
    expect(code, err).toBe(0);
    expect(err).toContain(
      'the run from 2001-03-01 on has 405 days, and leads up to there: where these are several runs, a column init_time, or a file for each, keeps them apart',
    );
    expect((await verify('run-2001.csv', ...common)).err).not.toContain('leads up to there');
  });

  it('shows leads by size, and counts as whole numbers', async () => {
    const daily = [...common.slice(0, 4), '--granularity', 'daily', '--by', 'lead', '--format', 'table'];
    const { out } = await verify('run-2001.csv', 'run-2002.csv', ...daily);
    const rows = [...out.matchAll(/^daily +(\d+) +days +6 +0 +2 +crps +(\d\.\d{4}) /gm)];
    const leads = rows.map(([, lead]) => Number(lead));
    expect(leads).toEqual(leads.map((_, i) => leads[0] + i));
    expect(leads.length).toBeGreaterThan(30);
  });
});
