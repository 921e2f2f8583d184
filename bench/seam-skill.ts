/**
 * Prints docs/seam-skill.md: what ways to join and to thin ensembles do to the skill of real forecasts. Needs the folder
 * of reference data, PLUMECAST_REFERENCE_DATA.
 *
 *   node build/bench/seam-skill.js > docs/seam-skill.md
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import h5wasm, { type Dataset } from 'h5wasm/node';
import { blendFields } from '../src/blend/blend-fields.js';
import type { Horizon } from '../src/blend/horizon.js';
import { chooseMembers, drawsOfRun } from '../src/blend/pairing/draws.js';
import type { EnsembleField } from '../src/core/field.js';
import { loadCore } from '../src/core/load.js';
import { MemberColumn } from '../src/core/member-column.js';
import { formatDate, parseDate } from '../src/period/day.js';
import { referenceFolder } from '../test/reference/data-folder.js';
import { crps } from '../test/reference/scores.js';
import { FIVE_WAYS, WAYS } from './seam-ways.js';

const core = await loadCore();

const OVERLAP = 3;
const WEEK = 7;
/** Leads, in days, at which horizons meet: the first month, in which forecasts have skill, and the months after it. */
const EARLY = [7, 14, 21, 28];
const LATE = [60, 75, 90, 105, 120, 135, 150, 165, 180];
/** A week is rare if it is above this share of the weeks within 15 days of its date in other years. */
const RARE = 0.9;
const AROUND = 15;
const DRAWS = 2000;

const VARIABLES = [
  { name: 'temperature', array: 't2m', column: 2, isSum: false },
  { name: 'rain', array: 'precip', column: 1, isSum: true },
] as const;
type Variable = (typeof VARIABLES)[number];

/** A forecast of one place: days by member. */
interface Forecast {
  readonly year: number;
  readonly firstDay: number;
  readonly members: readonly Float64Array[];
}

/** What was observed, and other years of it. */
class Observations {
  readonly #firstDay: number;
  readonly #values: readonly number[];
  readonly #isSum: boolean;

  constructor(path: string, { column, isSum }: Variable) {
    const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1);
    this.#firstDay = parseDate(rows[0].split(',')[0]);
    this.#values = rows.map((row) => Number(row.split(',')[column]));
    this.#isSum = isSum;
  }

  /** The value of the week that begins on a day; NaN where it is not complete. */
  week(day: number): number {
    const first = day - this.#firstDay;
    if (first < 0 || first + WEEK > this.#values.length) return Number.NaN;
    return weekOf(this.#values, first, this.#isSum);
  }

  /** The values of a day and those after it in all other years that have them. */
  otherYears(year: number, day: number, days: number): Float64Array[] {
    const series: Float64Array[] = [];
    for (let other = 1979; other <= 2019; other++) {
      const first = inYear(day, other) - this.#firstDay;
      if (other === year || first < 0 || first + days > this.#values.length) continue;
      series.push(Float64Array.from(this.#values.slice(first, first + days)));
    }
    return series;
  }

  /** The value that rare weeks exceed: of other years, within some days of the date. */
  rareWeek(year: number, day: number): number {
    const weeks: number[] = [];
    for (let other = 1979; other <= 2019; other++) {
      if (other === year) continue;
      for (let apart = -AROUND; apart <= AROUND; apart++) weeks.push(this.week(inYear(day, other) + apart));
    }
    const known = weeks.filter((week) => !Number.isNaN(week)).sort((a, b) => a - b);
    return known[Math.floor(RARE * known.length)];
  }
}

function inYear(day: number, year: number): number {
  return parseDate(`${year}${formatDate(day).slice(4).replace('-02-29', '-02-28')}`);
}

function weekOf(values: ArrayLike<number>, first: number, isSum: boolean): number {
  let sum = 0;
  for (let d = first; d < first + WEEK; d++) sum += values[d];
  return isSum ? sum : sum / WEEK;
}

/** One forecast for each year, which stand one after the other in the file. */
async function forecastsOf(path: string, { array }: Variable): Promise<Forecast[]> {
  await h5wasm.ready;
  const file = new h5wasm.File(path, 'r');
  const read = (name: string) => (file.get(name) as Dataset).value as Float64Array | Int32Array;
  const days = Array.from(read('time'), (day) => parseDate('1993-01-01') + day);
  const values = read(array) as Float64Array;
  file.close();
  const years = [...new Set(days.map((day) => Number(formatDate(day).slice(0, 4))))];
  return years.map((year) => {
    const from = days.findIndex((day) => formatDate(day).startsWith(`${year}`));
    const to = days.findLastIndex((day) => formatDate(day).startsWith(`${year}`)) + 1;
    const members = Array.from({ length: values.length / days.length }, (_, m) =>
      values.slice(m * days.length + from, m * days.length + to),
    );
    return { year, firstDay: days[from], members };
  });
}

function fieldOf(firstDay: number, members: readonly Float64Array[], from: number, to: number): EnsembleField {
  return {
    ...{ type: 'float64', order: 'day-fastest', firstDay: firstDay + from, days: to - from, cells: 1 },
    members: members.map((values, m) => new MemberColumn(`m${m}`, [{ values: values.slice(from, to) }])),
  };
}

/** The members of a field on its days. */
function seriesOf(field: EnsembleField): Float64Array[] {
  return field.members.map((member) => Float64Array.from({ length: field.days }, (_, day) => member.value(day)));
}

/** Sums of scores, by year. */
class Score {
  readonly #sums = new Map<number, { crps: number; brier: number }>();

  /** Adds the fair scores of a week of some members. */
  add(year: number, members: readonly number[], observed: number, rare: number): void {
    const n = members.length;
    const above = members.filter((value) => value > rare).length;
    const share = above / n;
    // Ferro (2014): the score of an ensemble without end with the same members.
    const brier = (share - Number(observed > rare)) ** 2 - (share * (1 - share)) / (n - 1);
    const known = this.#sums.get(year) ?? { crps: 0, brier: 0 };
    this.#sums.set(year, { crps: known.crps + crps(members, observed, true), brier: known.brier + brier });
  }

  /** The sum over some years, each as often as it is among them. */
  sum(kind: 'crps' | 'brier', years: readonly number[]): number {
    return years.reduce((sum, year) => sum + (this.#sums.get(year)?.[kind] ?? 0), 0);
  }
}

type Scores = Map<string, Score>;

function scoreOf(scores: Scores, name: string): Score {
  const score = scores.get(name) ?? new Score();
  scores.set(name, score);
  return score;
}

/** The weeks that begin on days of which some members have switched, and others have not, within the week. */
function weeksAcross(handOver: number): number[] {
  return Array.from({ length: WEEK }, (_, i) => handOver - WEEK + 2 + i);
}

interface Sample {
  readonly variable: Variable;
  readonly observations: Observations;
  readonly forecasts: readonly Forecast[];
}

/** Twelve members are followed by twelve others of the same run: what a seam costs where both are equally good. */
function sameModel(sample: Sample, leads: readonly number[]): Scores {
  return acrossSeams(sample, leads, ({ members }) => {
    const [earlier, later] = [0, 1].map((half) => members.slice(0, 24).filter((_, m) => m % 2 === half));
    return { 'earlier members': earlier, 'later members': later };
  });
}

/** The forecast is followed by other years of what was observed: the seam at which skill ends. */
function thenClimate(sample: Sample, leads: readonly number[]): Scores {
  const days = Math.max(...leads) + OVERLAP + 2 * WEEK;
  return acrossSeams(sample, leads, ({ year, firstDay, members }) => ({
    'the forecast alone': members,
    'other years alone': sample.observations.otherYears(year, firstDay, days),
  }));
}

/** The scores of weeks across seams: of both ensembles by themselves, and joined in all ways. */
function acrossSeams(
  { variable, observations, forecasts }: Sample,
  leads: readonly number[],
  bothOf: (forecast: Forecast) => Readonly<Record<string, readonly Float64Array[]>>,
): Scores {
  const scores: Scores = new Map();
  for (const forecast of forecasts) {
    const { year, firstDay } = forecast;
    const both = bothOf(forecast);
    const [earlier, later] = Object.values(both);
    for (const lead of leads) {
      const joined = joinedInAllWays([
        { name: 'earlier', field: fieldOf(firstDay, earlier, 0, lead + OVERLAP) },
        { name: 'later', field: fieldOf(firstDay, later, lead, lead + OVERLAP + 2 * WEEK) },
      ]);
      const all = [...joined, ...Object.entries(both)];
      const membersOf = (start: number) =>
        Object.fromEntries(all.map(([name, series]) => [name, weeks(series, start, variable)]));
      addWeeks({ variable, observations, year, firstDay }, weeksAcross(lead), membersOf, scores);
    }
  }
  return scores;
}

const THINNED = 11;

/** Eleven of 25 members. */
function thinned({ variable, observations, forecasts }: Sample, starts: readonly number[]): Scores {
  const scores: Scores = new Map();
  for (const { year, firstDay, members } of forecasts) {
    const keys = Float64Array.from(members, (values) => values.slice(0, WEEK).reduce((sum, value) => sum + value, 0));
    const ranked = Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b]);
    const evenly = Array.from(
      { length: THINNED },
      (_, k) => ranked[Math.round((k * (ranked.length - 1)) / (THINNED - 1))],
    );
    const chosen = chooseMembers(keys, THINNED, drawsOfRun(firstDay, 0, 'members')());
    const some = (indices: ArrayLike<number>) => Array.from(indices, (m) => members[m]);
    addWeeks(
      { variable, observations, year, firstDay },
      starts,
      (start) => ({
        'all 25': weeks(members, start, variable),
        'whole members, drawn by the run': weeks(some(chosen), start, variable),
        'even ranks, with both extremes': weeks(some(evenly), start, variable),
        'the first 11': weeks(members.slice(0, THINNED), start, variable),
      }),
      scores,
    );
  }
  return scores;
}

function joinedInAllWays(horizons: Horizon[]): [string, Float64Array[]][] {
  const options = { overlaps: [OVERLAP], lastLeads: [], keepGaps: false };
  return FIVE_WAYS.map((way) => {
    const pairing = WAYS[way](core, [horizons], options);
    return [way, seriesOf(blendFields(core, horizons, pairing).field)];
  });
}

function weeks(series: readonly Float64Array[], start: number, { isSum }: Variable): number[] {
  return series.map((values) => weekOf(values, start, isSum));
}

interface Run {
  readonly variable: Variable;
  readonly observations: Observations;
  readonly year: number;
  readonly firstDay: number;
}

function addWeeks(
  { observations, year, firstDay }: Run,
  starts: readonly number[],
  membersOf: (start: number) => Record<string, number[]>,
  scores: Scores,
): void {
  for (const start of starts) {
    const observed = observations.week(firstDay + start);
    if (Number.isNaN(observed)) continue;
    const rare = observations.rareWeek(year, firstDay + start);
    for (const [name, members] of Object.entries(membersOf(start)))
      scoreOf(scores, name).add(year, members, observed, rare);
  }
}

/** A ratio of sums less 1, in %, and the interval that holds 90 % of it when years are drawn anew. */
function change(
  years: readonly number[],
  kind: 'crps' | 'brier',
  [own, ...than]: readonly [Score, ...Score[]],
): string {
  const ratio = (some: readonly number[]) =>
    own.sum(kind, some) / (than.reduce((sum, score) => sum + score.sum(kind, some), 0) / than.length) - 1;
  const random = drawsOfRun(0, 0, 'days');
  const drawn = Array.from({ length: DRAWS }, () =>
    ratio(years.map(() => years[Math.floor(random() * years.length)])),
  ).sort((a, b) => a - b);
  const [low, high] = [0.05, 0.95].map((p) => drawn[Math.floor(p * DRAWS)]);
  return `${percent(ratio(years))} (${percent(low)} to ${percent(high)})`;
}

function percent(share: number): string {
  const text = (100 * share).toFixed(1).replace('-', '−');
  return text === '−0.0' ? '0.0' : text;
}

const [seasonal, observed] = ['seas5-burrishoole-feb', 'era5-burrishoole-1979-2019'].map(referenceFolder);
if (seasonal === undefined || observed === undefined) {
  throw new Error(
    'the forecasts and observations are not here; PLUMECAST_REFERENCE_DATA names the folder of reference data',
  );
}
const samples: Sample[] = [];
for (const variable of VARIABLES) {
  const forecasts = await forecastsOf(join(seasonal, 'all_years_nc4.nc'), variable);
  samples.push({ variable, observations: new Observations(join(observed, 'daily.csv'), variable), forecasts });
}
const years = samples[0].forecasts.map(({ year }) => year);

/** Prints a table: what rows are compared with, by sample, and how much more their scores are. */
function print(
  first: string,
  rows: readonly string[],
  columns: readonly [string, Scores, readonly string[]][],
  kinds: readonly ('crps' | 'brier')[] = ['crps', 'brier'],
): void {
  const heads = columns.flatMap(([name]) =>
    kinds.map((kind) => `${name}: ${kind === 'crps' ? 'CRPS' : 'Brier, rare'}`),
  );
  console.log(`\n| ${[first, ...heads].join(' | ')} |\n|---|${'---:|'.repeat(heads.length)}`);
  for (const name of rows) {
    const cells = columns.flatMap(([, scores, than]) =>
      kinds.map((kind) => change(years, kind, [scoreOf(scores, name), ...than.map((each) => scoreOf(scores, each))])),
    );
    console.log(`| ${[name, ...cells].join(' | ')} |`);
  }
}

const compared = (study: (sample: Sample, leads: readonly number[]) => Scores, leads: readonly number[]) =>
  samples.map((sample) => [sample.variable.name, study(sample, leads)] as const);
const against = (
  results: readonly (readonly [string, Scores])[],
  than: readonly string[],
): [string, Scores, readonly string[]][] => results.map(([name, scores]) => [name, scores, than]);

console.log(`# What seams and thinning do to skill

Real forecasts are joined and thinned, and weeks are scored by what was observed (\`npm run docs:seam-skill\`): 27 forecasts of ECMWF SEAS5 from
1 February 1993 to 2019, 25 members of 212 days, and ERA5, at Burrishoole in Ireland, temperature and rain. What is joined: one place, an overlap
of ${OVERLAP} days. What the ways keep of known processes, and of areas: [seams](seams.md).

Scores are fair ([skill](skill.md)), so that ensembles of any size compare: the CRPS, and the Brier score of weeks above the ${100 * RARE} % quantile of ERA5 in
the other years, within ${AROUND} days of the date. Figures are how much larger the mean score is, in %: **negative is better**. In brackets is what 90 % of
${DRAWS.toLocaleString('en')} samples of the 27 years have: figures whose interval holds 0 may be chance. One place in one climate shows no more than that.

What the tables show:

- **A seam costs no skill where members go on as members that are alike.** Of equally good halves, weeks across a paired seam score like weeks of one half, or 2 %
  better: the mean of a joined week has twice as many members behind it. Splicing has that, too, and loses more by its spread: in later months 2 to 3.5 % of the CRPS
  lie between it and each pairing.
- **Which pairing** makes a difference to the score of a place that is smaller than what chance does. What they differ in is what areas, weeks and tails have.
- **Where skill ends**, a seam is what is wanted: weeks of temperature that go on as other years score 6 to 7 % better than weeks of other years alone, the forecast
  alone no better, and spliced weeks 2 %. Of rain, where the forecast is better for longer, all are 7 to 11 % better.
- **Thinning by the run's draw** changes no score beyond chance. The first 11 members are 8 to 15 % worse in rare weeks of temperature, and 3 % in its first month. Even
  ranks are 10 % better in rare weeks of the first month, and no better in later ones.`);

const alone = ['earlier members', 'later members'];
for (const [title, leads] of [
  ['in the first month', EARLY],
  ['in later months', LATE],
] as const) {
  console.log(`
## Other members of the same model, ${title}

Twelve members go on as twelve others of the same run, on day ${leads.join(', ')}: both are equally good, and all that changes is the seam. Weeks that have days
before and after a switch, against the mean score of the same weeks of both halves alone.`);
  print('joined', FIVE_WAYS, against(compared(sameModel, leads), alone));
}

console.log(`
## The forecast, then other years

The 25 members go on as 25 of the other years of ERA5, on day ${EARLY.join(', ')}, where the forecast has lost its skill or soon will: weeks across the seam, against
the other years alone.`);
print('joined', ['the forecast alone', ...FIVE_WAYS], against(compared(thenClimate, EARLY), ['other years alone']));

console.log(`
## Eleven of 25 members

Whole members are kept: as the run's draw has them, by systematic sampling of their ranks of the first week; by even ranks, which keeps both extremes;
or the first ones. Against all 25, weeks from day 0 to 28, then weeks from day 60 to 180.`);
for (const starts of [
  [0, 7, 14, 21, 28],
  [60, 75, 90, 105, 120, 135, 150, 165, 180],
]) {
  print(
    `weeks from day ${starts[0]} on`,
    ['whole members, drawn by the run', 'even ranks, with both extremes', 'the first 11'],
    against(compared(thinned, starts), ['all 25']),
  );
}
