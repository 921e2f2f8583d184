import { statisticsJson } from '../src/respond/index.js';
import { JsonWriter } from '../src/respond/json-writer.js';
import { createAnswers } from '../src/service/answers/create-answers.js';
import { createHandler } from '../src/service/handler/create-handler.js';
import { openKeys, openStore } from '../src/service/node.js';
import { DEFAULT_QUANTILES } from '../src/statistics/quantiles.js';
import { findVariable } from '../src/variable/find-variable.js';
import { pointNear } from './serve-data.js';

/** Microseconds of the parts of an answer, each the median of many short runs. */
export interface AnswerTimes {
  /** Finding and reading the values of a place. */
  readonly read: number;
  /** Reading and computing weekly statistics. */
  readonly answer: number;
  readonly json: number;
  /** The whole response of thirty years of daily history. */
  readonly history: number;
}

/** Times the parts of an answer in this process, on the store that the servers have. */
export async function answerTimes(dir: string, key: string, cells: number): Promise<AnswerTimes> {
  const source = await openStore(dir);
  try {
    const data = await source.snapshot();
    const { timeline } = data.forecast ?? {};
    if (timeline === undefined) throw new Error('no forecast');
    const answers = createAnswers();
    const query = () => ({
      point: pointNear(Math.floor(Math.random() * cells), cells),
      variables: [findVariable('precipitation')],
      ...{ startDay: undefined, endDay: undefined, downscaling: false },
      ...{ quantiles: DEFAULT_QUANTILES, granularity: 'weekly' as const },
    });
    const { days, members } = timeline.variables.get('precipitation') ?? { days: 0, members: 0 };
    const into = new Float32Array(days * members);
    const answer = await answers.statistics(data, query());
    const writer = new JsonWriter();
    const handler = createHandler({ source, keys: await openKeys(dir), answers });
    const url =
      'http://localhost/v2/history?lat=-30&lon=-120&var=precipitation&start_date=1995-01-01&end_date=2024-12-31';
    const request = new Request(url, { headers: { 'x-api-key': key } });
    return {
      read: await median(() => timeline.read('precipitation', timeline.places.covering(query().point) ?? 0, into)),
      answer: await median(() => answers.statistics(data, query())),
      json: await median(() => statisticsJson(answer, writer)),
      history: await median(async () => (await handler(request)).arrayBuffer(), 1),
    };
  } finally {
    await source.close();
  }
}

const RUNS = 100;

async function median(work: () => unknown, times = 200): Promise<number> {
  const all: number[] = [];
  for (let run = 0; run <= 2 * RUNS; run++) {
    const from = performance.now();
    for (let i = 0; i < times; i++) await work();
    // The first half warms up.
    if (run > RUNS) all.push((1000 * (performance.now() - from)) / times);
  }
  return all.sort((a, b) => a - b)[all.length >> 1];
}
