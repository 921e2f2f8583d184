/**
 * A point query: 31 members by 180 days of rain at one place to the weekly statistics of `/v2/forecast/statistics`, as JSON. Beside it
 * the plain JavaScript that is fastest at the statistics, its results given to `JSON.stringify`.
 *
 *   node build/bench/point-query.js [--points 300] [--turns 60]
 *
 * Values lie in memory, those of Plumecast in the core's; everyone goes through the same points, one after the other, and takes turns.
 */
import { parseArgs } from 'node:util';

import { type EnsembleField, memberColumns } from '../src/core/field.js';
import { loadCore } from '../src/core/load.js';
import { periodKey } from '../src/period/period-key.js';
import type { StatisticsAnswer } from '../src/respond/answers.js';
import { JsonWriter, statisticsJson } from '../src/respond/index.js';
import { computeStatistics, type StatisticsColumns } from '../src/statistics/compute.js';
import { DEFAULT_QUANTILES, quantileName } from '../src/statistics/quantiles.js';
import { findVariable } from '../src/variable/find-variable.js';
import type { Contestant, Results } from './contestant.js';
import { insertionSort } from './contestants/insertion-sort.js';
import { keyNetwork, mathNetwork, nonNegativeKeyNetwork, swapNetwork } from './contestants/networks.js';
import { quickselect } from './contestants/quickselect.js';
import { typedArraySort } from './contestants/typed-array-sort.js';
import { createMembers, fillMembers, partsOf } from './data.js';
import { medianTurns } from './turns.js';
import { DAYS, FIRST_DAY, MEMBERS, WORKLOADS } from './workloads.js';

const { values: asked } = parseArgs({
  options: { points: { type: 'string', default: '300' }, turns: { type: 'string', default: '60' } },
});
const POINTS = Number(asked.points);
const TURNS = Number(asked.turns);
const [WEEKLY] = WORKLOADS;
const { windows } = WEEKLY;
const RAIN = findVariable('precipitation');
const PLAIN = [insertionSort, typedArraySort, quickselect, mathNetwork, swapNetwork, nonNegativeKeyNetwork, keyNetwork];
const NUMBER = /(?<=:)-?[\d.]+/g;
/** What the answers of all points have in common. */
const HEAD = {
  initTime: '2026-02-01T00:00:00Z',
  version: 'bench',
  generation: 'bench',
  period: { firstDay: FIRST_DAY, lastDay: FIRST_DAY + DAYS - 1 },
  granularity: 'weekly',
  quantiles: DEFAULT_QUANTILES,
} as const;

const members = createMembers(POINTS);
fillMembers(members, WEEKLY.data);
const parts = partsOf(members, 1, POINTS);
const core = await loadCore();
const fields = fieldsInCore();
const locations = parts.map((_, point) => ({ latitude: 30 + point / 4, longitude: -80 - (point % 40) / 4 }));
const answers = fields.map((field, point) => answerOf(point, compute(field)));
const writer = new JsonWriter();
const decoder = new TextDecoder();
let seen = 0;

const fastest = fastestPlain();
const plainRun = fastest.prepare(WEEKLY, parts);
const keys = Array.from(windows.start, (day) => periodKey('weekly', day));
const names = ['mean', ...DEFAULT_QUANTILES.map(quantileName)];
checkEqual();

const jobs = [
  job('statistics', (point) => compute(fields[point]).length),
  job('JSON bytes of statistics', (point) => statisticsJson(answers[point], writer).length),
  job('JSON string of statistics', (point) => textOf(answers[point]).length),
  job('statistics and JSON bytes', (point) => statisticsJson(answerOf(point, compute(fields[point])), writer).length),
  job('statistics and JSON string', (point) => textOf(answerOf(point, compute(fields[point]))).length),
  job(`${fastest.name}, statistics`, (point) => plainRun(point)[0].length),
  job(`${fastest.name}, JSON string`, (point) => plainText(point, plainRun(point)).length),
];
report(medianTurns(jobs, TURNS));

/** The points, each a field of its own whose members lie in the core's memory. */
function fieldsInCore(): EnsembleField[] {
  const length = MEMBERS * DAYS;
  const address = core.memory.allocate(4 * length * POINTS);
  return parts.map((part, point) => {
    const values = core.memory.float32(address + 4 * length * point, length);
    part.forEach((series, m) => {
      values.set(series, m * DAYS);
    });
    const columns = memberColumns(values, DAYS);
    return { type: 'float32', order: 'day-fastest', firstDay: FIRST_DAY, days: DAYS, cells: 1, members: columns };
  });
}

function compute(field: EnsembleField): StatisticsColumns {
  return computeStatistics(core, field, windows, {
    window: WEEKLY.rule,
    quantiles: DEFAULT_QUANTILES,
    quantileType: 7,
    thresholds: [],
    spread: false,
    minMemberShare: 0.8,
  });
}

function answerOf(point: number, statistics: StatisticsColumns): StatisticsAnswer {
  const location = locations[point];
  const variables = [{ variable: RAIN, downscaled: false, location, windows, statistics }];
  return Object.assign({ requested: location, closest: location, variables }, HEAD);
}

function textOf(answer: StatisticsAnswer): string {
  return decoder.decode(statisticsJson(answer, writer));
}

/** The same body from the results of plain JavaScript; its keys are known, and it rounds the quickest way that there is. */
function plainText(point: number, results: Results): string {
  const scale = 10 ** RAIN.decimals;
  const statistics: Record<string, Record<string, number>> = {};
  for (let w = 0; w < keys.length; w++) {
    const entry: Record<string, number> = {};
    for (let k = 0; k < names.length; k++) entry[names[k]] = Math.round(results[k][w] * scale) / scale;
    statistics[keys[w]] = entry;
  }
  const location = locations[point];
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

function fastestPlain(): Contestant {
  const times = medianTurns(
    PLAIN.map((contestant) => {
      const run = contestant.prepare(WEEKLY, parts);
      return job(contestant.name, (point) => run(point)[0].length);
    }),
    9,
  );
  return PLAIN[times.indexOf(Math.min(...times))];
}

/** Both bodies must say the same, but for the last digit of a number, where roundings differ. */
function checkEqual(): void {
  for (let point = 0; point < POINTS; point++) {
    const [ours, theirs] = [textOf(answers[point]), plainText(point, plainRun(point))];
    const mine = ours.match(NUMBER) ?? [];
    const others = theirs.match(NUMBER) ?? [];
    const isSame =
      ours.replace(NUMBER, '') === theirs.replace(NUMBER, '') &&
      mine.every((number, i) => Math.abs(Number(number) - Number(others[i])) < 1.5 * 10 ** -RAIN.decimals);
    if (!isSame) throw new Error(`point ${point}: other bodies\n${ours}\n${theirs}`);
  }
}

/** Goes through all points; `use` gives a number that is added up, so that no engine may leave out the work. */
function job(name: string, use: (point: number) => number) {
  const run = () => {
    for (let point = 0; point < POINTS; point++) seen += use(point);
  };
  return { name, run };
}

function report(milliseconds: readonly number[]): void {
  const title = `${MEMBERS} members x ${DAYS} days, ${windows.count} weeks, ${POINTS} points`;
  console.log(`weekly rain of a point: ${title}, Node ${process.versions.node}; medians of ${TURNS} turns`);
  const microseconds = milliseconds.map((time) => (1000 * time) / POINTS);
  jobs.forEach(({ name }, j) => {
    console.log(`${name.padEnd(52)} ${microseconds[j].toFixed(1).padStart(6)} us`);
  });
  const ratio = microseconds[6] / microseconds[4];
  console.log(`plain JavaScript takes ${ratio.toFixed(1)} times as long to a string (goal: at least 3); sum ${seen}`);
}
