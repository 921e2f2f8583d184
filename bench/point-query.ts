import type { Core } from '../src/core/load.js';
import { periodKey } from '../src/period/period.js';
import type { StatisticsAnswer } from '../src/respond/answer-data.js';
import { JsonWriter } from '../src/respond/json-writer.js';
import { answerParts, completeJson } from '../src/respond/v2/answer-json.js';
import { STATISTICS } from '../src/respond/v2/statistics-answer.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { DEFAULT_QUANTILES } from '../src/statistics/options.js';
import { quantileName } from '../src/statistics/statistic.js';
import type { StatisticsColumns } from '../src/statistics/statistics-columns.js';
import { findVariable } from '../src/variable/find-variable.js';
import { type Contestant, fullName, type Results } from './contestant.js';
import { copyIntoCore, statisticsRequest } from './fields.js';
import { createMembers, fillMembers, splitMembers } from './members.js';
import { ratioText, timeText } from './report.js';
import { type Job, medianTurns } from './timing.js';
import { DAYS, FIRST_DAY, MEMBERS, WORKLOADS } from './workloads.js';

/** Many points, so that the processor does not learn the values of one. */
const POINTS = 300;
const [WEEKLY] = WORKLOADS;
const RAIN = findVariable('precipitation');
const KEYS = Array.from(WEEKLY.windows.start, (day) => periodKey('weekly', day));
const NAMES = ['mean', ...DEFAULT_QUANTILES.map(quantileName)];
const NUMBER = /(?<=:)-?[\d.]+/g;
const REQUEST = { ...statisticsRequest(WEEKLY.rule), quantiles: DEFAULT_QUANTILES };
/** The fields that are the same in the answers of all points. */
const HEAD = {
  initTime: '2026-02-01T00:00:00Z',
  version: 'bench',
  generation: 'bench',
  period: { firstDay: FIRST_DAY, lastDay: FIRST_DAY + DAYS - 1 },
  granularity: 'weekly',
  quantiles: DEFAULT_QUANTILES,
} as const;

/**
 * A point query: from the members and days of rain at one place to the weekly statistics of `/v2/forecast/statistics`
 * as JSON. Beside it the plain JavaScript that is fastest at the statistics, and `JSON.stringify` of its results.
 * Values lie in memory, for plumecast in the core's; all jobs take turns over the same points: a Markdown table of the
 * medians.
 */
export function pointQueryReport(core: Core, contestants: readonly Contestant[], turns: number): string {
  const begin = core.memory.mark();
  const members = createMembers(POINTS);
  fillMembers(members, WEEKLY.data);
  const parts = splitMembers(members, 1, POINTS);
  const fields = parts.map((part) => copyIntoCore(core, part));
  const plain = fastest(
    contestants.filter(({ suits }) => suits?.(WEEKLY) ?? true).map((each) => [each, each.prepare(WEEKLY, parts)]),
  );
  const compute = (point: number) => computeStatistics(core, fields[point], WEEKLY.windows, REQUEST);
  const answers = fields.map((_, point) => createAnswer(point, compute(point)));
  const writer = new JsonWriter();
  const jsonOf = (answer: StatisticsAnswer) => completeJson(answerParts(STATISTICS, answer, writer), writer);
  const decoder = new TextDecoder();
  const toText = (answer: StatisticsAnswer) => decoder.decode(jsonOf(answer));
  answers.forEach((answer, point) => {
    checkEqual(toText(answer), plainText(point, plain.run(point)));
  });
  const jobs = [
    job('statistics', (point) => compute(point).length),
    job('JSON of statistics, bytes', (point) => jsonOf(answers[point]).length),
    job('statistics and JSON, bytes', (point) => jsonOf(createAnswer(point, compute(point))).length),
    job('statistics and JSON, string', (point) => toText(createAnswer(point, compute(point))).length),
    job(`${plain.label}: statistics`, (point) => plain.run(point)[0].length),
    job(`${plain.label}: statistics and JSON.stringify`, (point) => plainText(point, plain.run(point)).length),
  ];
  const microseconds = medianTurns(jobs, turns).map((milliseconds) => (1e3 * milliseconds) / POINTS);
  core.memory.release(begin);
  const [statistics, , , string, plainStatistics, plainString] = microseconds;
  const ratios = [ratioText(plainStatistics, statistics), '', '', ratioText(plainString, string), '', ''];
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
      let sum = 0;
      for (let point = 0; point < POINTS; point++) sum += use(point);
      if (sum === 0) throw new Error(`${name}: nothing was computed`);
    },
  };
}

function fastest(runs: readonly (readonly [Contestant, (point: number) => Results])[]) {
  const jobs = runs.map(([contestant, run]) => job(fullName(contestant), (point) => run(point)[0].length));
  const times = medianTurns(jobs, 9);
  const best = times.indexOf(Math.min(...times));
  return { label: jobs[best].name, run: runs[best][1] };
}

function locationAt(point: number) {
  return { latitude: 30 + point / 4, longitude: -80 - (point % 40) / 4 };
}

function createAnswer(point: number, statistics: StatisticsColumns): StatisticsAnswer {
  const location = locationAt(point);
  const variables = [{ variable: RAIN, downscaled: false, location, windows: WEEKLY.windows, statistics }];
  return Object.assign({ requested: location, closest: location, variables }, HEAD);
}

/** The same body from the results of plain JavaScript, with keys made beforehand and the quickest way to round. */
function plainText(point: number, results: Results): string {
  const scale = 10 ** RAIN.decimals;
  const statistics: Record<string, Record<string, number>> = {};
  for (let w = 0; w < KEYS.length; w++) {
    const entry: Record<string, number> = {};
    for (let k = 0; k < NAMES.length; k++) entry[NAMES[k]] = Math.round(results[k][w] * scale) / scale;
    statistics[KEYS[w]] = entry;
  }
  const location = locationAt(point);
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

/** Both bodies must be the same except for the last digit of a number, where roundings differ. */
function checkEqual(ours: string, theirs: string): void {
  const mine = ours.match(NUMBER) ?? [];
  const others = theirs.match(NUMBER) ?? [];
  const isSame =
    ours.replace(NUMBER, '') === theirs.replace(NUMBER, '') &&
    mine.every((number, i) => Math.abs(Number(number) - Number(others[i])) < 1.5 * 10 ** -RAIN.decimals);
  if (!isSame) throw new Error(`the bodies differ\n${ours}\n${theirs}`);
}
