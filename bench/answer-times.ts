import { writeFile } from 'node:fs/promises';
import { JsonWriter } from '../src/respond/json-writer.js';
import { answerParts, completeJson } from '../src/respond/v2/answer-json.js';
import { STATISTICS } from '../src/respond/v2/statistics-answer.js';
import { createOwnAnswers } from '../src/service/endpoints/answers.js';
import { createHandler } from '../src/service/handler/create-handler.js';
import { openKeys, openStore } from '../src/service/node.js';
import { DEFAULT_QUANTILES } from '../src/statistics/options.js';
import { findVariable } from '../src/variable/find-variable.js';
import { CELLS, FORECAST, KEY, pointNear, WEEKS } from './serve-store.js';

/** Microseconds of the parts of an answer, each the median of many short runs. */
export interface AnswerTimes {
  /** Finding and reading the values of a place. */
  readonly read: number;
  /** Reading and computing weekly statistics, where nothing is prepared. */
  readonly answer: number;
  readonly json: number;
  /** From a query to its body, where all but the point is prepared. */
  readonly prepared: number;
  /** From the query of a hundred points to the body, as `createListener` takes it. */
  readonly hundred: number;
  /** The same as a Response of the Fetch API, which copies the body. */
  readonly hundredFetch: number;
  /** The complete response of thirty years of daily history. */
  readonly history: number;
}

/** Times the parts of an answer in this process, on the store that the servers read. */
export async function answerTimes(folder: string): Promise<AnswerTimes> {
  const source = await openStore(folder);
  try {
    const data = await source.snapshot();
    const { timeline } = data.forecast ?? {};
    if (timeline === undefined) throw new Error('no forecast');
    const answers = createOwnAnswers();
    const query = () => ({
      point: pointNear(Math.floor(Math.random() * CELLS)),
      variables: [findVariable('precipitation')],
      ...{ startDay: undefined, endDay: undefined, downscaling: false },
      ...{ quantiles: DEFAULT_QUANTILES, granularity: 'weekly' as const },
    });
    const { days, members } = timeline.variables.get('precipitation') ?? { days: 0, members: 0 };
    const into = new Float32Array(days * members);
    const answer = await answers.statistics(data, query());
    // As that of the service.
    const writer = new JsonWriter({ isPooled: true });
    const handler = createHandler({ source, keys: await openKeys(folder) });
    const respond = async (path: string) => {
      const request = new Request(`http://localhost${path}`, { headers: { 'x-api-key': KEY } });
      return (await handler(request)).arrayBuffer();
    };
    const reply = async (target: string) => {
      const [path, query] = target.split('?');
      const header = (name: string) => (name === 'x-api-key' ? KEY : null);
      const { status } = await handler.reply({ method: 'GET', path, query, header });
      if (status !== 200) throw new Error(`status ${status}`);
    };
    const bodies = answers.bodies();
    if (bodies === undefined) throw new Error('no core');
    for (let i = 0; i < 2; i++) bodies.learn(data, 'weeks', query(), await answers.statistics(data, query()));
    const body = () => {
      if (bodies.write(data, 'weeks', query(), writer) === undefined) throw new Error('nothing is prepared');
    };
    const hundred = () =>
      Array.from({ length: 100 }, () => {
        const { latitude, longitude } = query().point;
        return `${latitude.toFixed(2)},${longitude.toFixed(2)}`;
      }).join(';');
    const lists = Array.from({ length: 20 }, () => `${WEEKS}&points=${hundred()}`);
    let list = 0;
    return {
      read: await medianTime(() => timeline.read('precipitation', timeline.places.covering(query().point) ?? 0, into)),
      answer: await medianTime(() => answers.statistics(data, query())),
      json: await medianTime(() => completeJson(answerParts(STATISTICS, answer, writer), writer)),
      prepared: await medianTime(body),
      hundred: await medianTime(() => reply(lists[list++ % lists.length]), 1),
      hundredFetch: await medianTime(() => respond(lists[list++ % lists.length]), 1),
      history: await medianTime(
        () => respond('/v2/history?lat=-30&lon=-120&var=precipitation&start_date=1995-01-01&end_date=2024-12-31'),
        1,
      ),
    };
  } finally {
    await source.close();
  }
}

const RUNS = 100;

/** The median microseconds of `work` over runs of `times` calls. */
async function medianTime(work: () => unknown, times = 200): Promise<number> {
  const all: number[] = [];
  for (let run = 0; run <= 2 * RUNS; run++) {
    const from = performance.now();
    for (let i = 0; i < times; i++) await work();
    // The first half warms up.
    if (run > RUNS) all.push((1000 * (performance.now() - from)) / times);
  }
  return all.sort((a, b) => a - b)[all.length >> 1];
}

/** Milliseconds, ascending, of reads whose pages are not in memory; undefined where this process may not drop them. */
export async function coldReadTimes(folder: string): Promise<number[] | undefined> {
  const source = await openStore(folder);
  try {
    const { forecast } = await source.snapshot();
    const into = new Float32Array(FORECAST.days * FORECAST.members);
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      await writeFile('/proc/sys/vm/drop_caches', '3');
      const from = performance.now();
      await forecast?.timeline.read('precipitation', Math.floor((i * CELLS) / 50), into);
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b);
  } catch {
    return undefined;
  } finally {
    await source.close();
  }
}
