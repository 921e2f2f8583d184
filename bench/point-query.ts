import type { Core } from '../src/core/load.js';
import { periodKey } from '../src/period/period-key.js';
import type { StatisticsAnswer } from '../src/respond/answers.js';
import { JsonWriter, statisticsJson } from '../src/respond/index.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { DEFAULT_QUANTILES, quantileName } from '../src/statistics/quantiles.js';
import type { StatisticsColumns } from '../src/statistics/statistics-columns.js';
import type { StatisticsRequest } from '../src/statistics/statistics-request.js';
import { findVariable } from '../src/variable/find-variable.js';
import { type Contestant, labelOf, type Results } from './contestant.js';
import { createMembers, fillMembers, partsOf } from './data.js';
import { times, timeText } from './numbers.js';
import { fieldIn } from './placed-field.js';
import { type Job, medianTurns } from './turns.js';
import { DAYS, FIRST_DAY, MEMBERS, WORKLOADS } from './workloads.js';

/** Different points, so that no processor learns the values of one by heart. */
const POINTS = 300;
const [WEEKLY] = WORKLOADS;
const RAIN = findVariable('precipitation');
const KEYS = Array.from(WEEKLY.windows.start, (day) => periodKey('weekly', day));
const NAMES = ['mean', ...DEFAULT_QUANTILES.map(quantileName)];
const NUMBER = /(?<=:)-?[\d.]+/g;
const REQUEST: StatisticsRequest = {
  window: WEEKLY.rule,
  quantiles: DEFAULT_QUANTILES,
  quantileType: 7,
  thresholds: [],
  spread: false,
  minMemberShare: 0.8,
};
/** What the answers of all points have in common. */
const HEAD = {
  initTime: '2026-02-01T00:00:00Z',
  version: 'bench',
  generation: 'bench',
  period: { firstDay: FIRST_DAY, lastDay: FIRST_DAY + DAYS - 1 },
  granularity: 'weekly',
  quantiles: DEFAULT_QUANTILES,
} as const;

/**
 * A point query: members by days of rain at one place to the weekly statistics of `/v2/forecast/statistics`, as JSON. Beside it the
 * plain JavaScript that is fastest at the statistics, its results given to `JSON.stringify`. Values lie in memory, those of Plumecast in
 * the core's; everyone goes through the same points and takes turns: a Markdown table of the medians.
 */
export function pointQueryReport(core: Core, contestants: readonly Contestant[], turns: number): string {
  const begin = core.memory.mark();
  const members = createMembers(POINTS);
  fillMembers(members, WEEKLY.data);
  const parts = partsOf(members, 1, POINTS);
  const fields = parts.map((part) => fieldIn(core, 1, part));
  const plain = fastest(
    contestants.filter(({ suits }) => suits?.(WEEKLY) ?? true).map((one) => [one, one.prepare(WEEKLY, parts)]),
  );
  const compute = (point: number) => computeStatistics(core, fields[point], WEEKLY.windows, REQUEST);
  const answers = fields.map((_, point) => answerOf(point, compute(point)));
  const writer = new JsonWriter();
  const decoder = new TextDecoder();
  const textOf = (answer: StatisticsAnswer) => decoder.decode(statisticsJson(answer, writer));
  answers.forEach((answer, point) => {
    checkEqual(textOf(answer), plainText(point, plain.run(point)));
  });
  const jobs = [
    job('statistics', (point) => compute(point).length),
    job('JSON of statistics, bytes', (point) => statisticsJson(answers[point], writer).length),
    job('statistics and JSON, bytes', (point) => statisticsJson(answerOf(point, compute(point)), writer).length),
    job('statistics and JSON, string', (point) => textOf(answerOf(point, compute(point))).length),
    job(`${plain.label}: statistics`, (point) => plain.run(point)[0].length),
    job(`${plain.label}: statistics and JSON.stringify`, (point) => plainText(point, plain.run(point)).length),
  ];
  const microseconds = medianTurns(jobs, turns).map((milliseconds) => (1e3 * milliseconds) / POINTS);
  core.memory.release(begin);
  const [statistics, , , string, plainStatistics, plainString] = microseconds;
  const ratios = [times(plainStatistics, statistics), '', '', times(plainString, string), '', ''];
  return [
    `### A point: ${DAYS} days, ${MEMBERS} members, ${WEEKLY.windows.count} weeks, five quantiles and mean`,
    '',
    '| | µs | beside plain JavaScript |',
    '|---|---:|---:|',
    ...jobs.map(({ name }, j) => `| ${name} | ${timeText(microseconds[j])} | ${ratios[j]} |`),
  ].join('\n');
}

/** Goes through all points. */
function job(name: string, use: (point: number) => number): Job {
  return {
    name,
    run: () => {
      let seen = 0;
      for (let point = 0; point < POINTS; point++) seen += use(point);
      if (seen === 0) throw new Error(`${name}: nothing done`);
    },
  };
}

function fastest(runs: readonly (readonly [Contestant, (point: number) => Results])[]) {
  const jobs = runs.map(([contestant, run]) => job(labelOf(contestant), (point) => run(point)[0].length));
  const taken = medianTurns(jobs, 9);
  const best = taken.indexOf(Math.min(...taken));
  return { label: jobs[best].name, run: runs[best][1] };
}

function placeOf(point: number) {
  return { latitude: 30 + point / 4, longitude: -80 - (point % 40) / 4 };
}

function answerOf(point: number, statistics: StatisticsColumns): StatisticsAnswer {
  const location = placeOf(point);
  const variables = [{ variable: RAIN, downscaled: false, location, windows: WEEKLY.windows, statistics }];
  return Object.assign({ requested: location, closest: location, variables }, HEAD);
}

/** The same body from the results of plain JavaScript; its keys are known, and it rounds the quickest way that there is. */
function plainText(point: number, results: Results): string {
  const scale = 10 ** RAIN.decimals;
  const statistics: Record<string, Record<string, number>> = {};
  for (let w = 0; w < KEYS.length; w++) {
    const entry: Record<string, number> = {};
    for (let k = 0; k < NAMES.length; k++) entry[NAMES[k]] = Math.round(results[k][w] * scale) / scale;
    statistics[KEYS[w]] = entry;
  }
  const location = placeOf(point);
  return JSON.stringify({
    init_time: HEAD.initTime,
    version: HEAD.version,
    generation: HEAD.generation,
    location: { requested: location, closest_location: location },
    period: { start_date: '2026-02-01', end_date: '2026-07-30' },
    granularity: HEAD.granularity,
    variables: { [RAIN.slug]: { units: RAIN.label, downscaled: false, statistics } },
  });
}

/** Both bodies must say the same, but for the last digit of a number, where roundings differ. */
function checkEqual(ours: string, theirs: string): void {
  const mine = ours.match(NUMBER) ?? [];
  const others = theirs.match(NUMBER) ?? [];
  const isSame =
    ours.replace(NUMBER, '') === theirs.replace(NUMBER, '') &&
    mine.every((number, i) => Math.abs(Number(number) - Number(others[i])) < 1.5 * 10 ** -RAIN.decimals);
  if (!isSame) throw new Error(`other bodies\n${ours}\n${theirs}`);
}
