import type { Core } from '../src/core/load.js';
import { periodKey } from '../src/period/period-key.js';
import { JsonWriter } from '../src/respond/json-writer.js';
import { statisticsJson } from '../src/respond/statistics-json.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { quantileName } from '../src/statistics/quantiles.js';
import { findVariable } from '../src/variable/find-variable.js';
import { type Contestant, labelOf, type Results } from './contestant.js';
import { times, timeText } from './numbers.js';
import { placeField } from './placed-field.js';
import { type Job, medianTurns } from './turns.js';
import { DAYS, FIRST_DAY, MEMBERS, PROBABILITIES, WORKLOADS } from './workloads.js';

const RUNS = 2_000;
const NAMES = ['mean', ...PROBABILITIES.map(quantileName)];
const POINT = { latitude: 37.25, longitude: -79.75 };
const METADATA = {
  initTime: '2026-02-01T00:00:00Z',
  version: '1',
  generation: 'bench',
  requested: POINT,
  closest: POINT,
  period: { firstDay: FIRST_DAY, lastDay: FIRST_DAY + DAYS - 1 },
  granularity: 'weekly',
  quantiles: PROBABILITIES,
} as const;

/** Weekly statistics of one place, and the body of a response that tells them, beside the plain contestants and JSON.stringify. */
export function pointQueryReport(core: Core, contestants: readonly Contestant[], turns: number): string {
  const [weekly] = WORKLOADS;
  const { windows } = weekly;
  const begin = core.memory.mark();
  const field = placeField(core, { members: MEMBERS, cells: 1, data: weekly.data });
  const writer = new JsonWriter();
  const variable = findVariable('precipitation');
  const request = {
    ...({ window: weekly.rule, quantiles: PROBABILITIES, quantileType: 7, thresholds: [], spread: false } as const),
    minMemberShare: 0.8,
  };
  const compute = () => computeStatistics(core, field, windows, request);
  const body = () => {
    const statistics = compute();
    return statisticsJson(
      { ...METADATA, variables: [{ variable, downscaled: false, location: POINT, windows, statistics }] },
      writer,
    );
  };
  const keys = Array.from(windows.start, (day) => periodKey('weekly', day));
  const members = field.members.map(({ chunks }) => chunks[0].values.slice() as Float32Array);
  const plain = contestants
    .filter(({ kind }) => kind === 'plain JavaScript')
    .map((contestant) => ({ label: labelOf(contestant), run: contestant.prepare(weekly, [members]) }));
  const jobs = [
    repeated('plumecast: statistics', compute),
    repeated('plumecast: statistics and the body of a v2 response', body),
    ...plain.map(({ label, run }) => repeated(`${label}: statistics`, () => run(0))),
    ...plain.map(({ label, run }) =>
      repeated(`${label}: statistics and JSON.stringify`, () => plainBody(keys, run(0), variable.decimals)),
    ),
  ];
  const microseconds = medianTurns(jobs, turns).map((milliseconds) => (1e3 * milliseconds) / RUNS);
  core.memory.release(begin);
  const best = [
    Math.min(...microseconds.slice(2, 2 + plain.length)),
    Math.min(...microseconds.slice(2 + plain.length)),
  ];
  return [
    `### A point: ${DAYS} days, ${MEMBERS} members, ${windows.count} weeks, five quantiles and mean`,
    '',
    '| | µs | beside the best plain JavaScript |',
    '|---|---:|---:|',
    ...jobs.map(
      ({ name }, j) => `| ${name} | ${timeText(microseconds[j])} | ${j < 2 ? times(best[j], microseconds[j]) : ''} |`,
    ),
  ].join('\n');
}

function repeated(name: string, work: () => unknown): Job {
  return {
    name,
    run: () => {
      for (let i = 0; i < RUNS; i++) work();
    },
  };
}

/** The same body, by objects. */
function plainBody(keys: readonly string[], results: Results, decimals: number): string {
  const factor = 10 ** decimals;
  const statistics: Record<string, Record<string, number>> = {};
  keys.forEach((key, w) => {
    const entry: Record<string, number> = {};
    for (let k = 0; k < NAMES.length; k++) entry[NAMES[k]] = Math.round(results[k][w] * factor) / factor;
    statistics[key] = entry;
  });
  const { initTime, version, generation, requested, closest, period, granularity } = METADATA;
  const variables = { precipitation: { units: 'mm', statistics } };
  return JSON.stringify({ initTime, version, generation, requested, closest, period, granularity, variables });
}
