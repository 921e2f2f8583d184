import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchPlan } from '../../src/batch/batch-plan.js';
import { checkPlan } from '../../src/batch/check-plan.js';
import type * as batches from '../../src/batch/index.js';
import type { PlannedVerification } from '../../src/batch/planned-verification.js';
import { formatDate, parseDate } from '../../src/period/day.js';
import { folderWith } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';
import { isFullCheck } from '../full-check.js';
import { request, talk } from '../worker/talk.js';

const url = new URL('../../dist/batch.js', import.meta.url).href;
const { mergeShards, runBatch }: typeof batches = await import(/* @vite-ignore */ url);

const { folder, remove } = folderWith({});
afterAll(remove);
const at = (...names: string[]) => join(folder, ...names);

/** A value of a day, the same each time. */
const temperature = (day: number, k = 0) =>
  Math.round(100 * (10 + 8 * Math.sin(day / 58) + 3 * Math.sin(day * 7.3 + k))) / 100;

/** The days of six years, and a forecast of four weeks in each of four of them. */
function writeFiles(): void {
  const first = parseDate('2014-01-01');
  const rows = Array.from({ length: 2191 }, (_, d) => `${formatDate(first + d)},${temperature(first + d)},degC`);
  writeFileSync(at('observed.csv'), ['date,temp_mean,units', ...rows].join('\n'));
  mkdirSync(at('runs'));
  for (const year of [2015, 2016, 2017, 2018]) {
    const start = parseDate(`${year}-03-02`);
    const days = Array.from({ length: 28 }, (_, d) => {
      const members = Array.from({ length: 7 }, (__, m) =>
        (temperature(start + d) + (m - 2.5) * (0.3 + d / 20)).toFixed(2),
      );
      return [formatDate(start + d), formatDate(start), 'degC', ...members].join();
    });
    const head = ['date', 'init_time', 'units', ...Array.from({ length: 7 }, (_, m) => `m${m}`)].join();
    writeFileSync(at('runs', `${year}.csv`), [head, ...days].join('\n'));
  }
}
beforeAll(writeFiles);

const VERIFY = { observed: [at('observed.csv')], by: ['lead'], conditions: ['>10'] } satisfies PlannedVerification;
const plan = (out: string, verify: object = {}, more: Partial<BatchPlan> = {}): BatchPlan => ({
  ...{ inputs: [at('runs')], out: at(out), variables: ['temp_mean'], granularities: ['weekly'], format: 'csv' },
  workers: 1,
  ...{ verify: { ...VERIFY, ...verify }, ...more },
});
const command = async (...files: string[]) => {
  const weekly = ['--variable', 'temp_mean', '--granularity', 'weekly', '--by', 'lead', '--condition', '>10'];
  return (await plumecastHere('verify', ...files, '--observed', at('observed.csv'), ...weekly, '--format', 'csv')).out;
};
const text = (...names: string[]) => readFileSync(at(...names), 'utf8');

describe('a batch that verifies', () => {
  it('has the scores of plumecast verify for each input, in any number of threads, shards and formats', async () => {
    await runBatch(plan('scores', {}, { workers: 2 }), {});
    for (const year of ['2015', '2018'])
      expect(text('scores', `${year}.csv`)).toBe(await command(at('runs', `${year}.csv`)));
    for (const number of [1, 2]) await runBatch(plan('shards', {}, { workers: 1 }), { shard: { number, of: 2 } });
    await mergeShards(at('shards'));
    for (const name of readdirSync(at('scores'))) expect(text('shards', name)).toBe(text('scores', name));
    await runBatch(plan('arrow', { result: 'ranks' }, { format: 'arrow' }), {});
    expect(tableFromIPC(readFileSync(at('arrow', '2016.arrow'))).schema.names).toContain('cases_of_rank');
  });

  if (isFullCheck) {
    it('pools inputs of one output, as states that are merged', async () => {
      const all = readdirSync(at('runs')).map((name) => at('runs', name));
      const whole = await command(...all);
      await runBatch(plan('pooled', {}, { name: 'all' }), {});
      expect(text('pooled', 'all.csv')).toBe(whole);
      await runBatch(plan('states', { result: 'state' }, { format: 'json' }), {});
      const states = ['2015', '2016', '2017', '2018'].map((year) => at('states', `${year}.json`));
      expect((await plumecastHere('verify', ...states, '--format', 'csv')).out).toBe(whole);
    });
  }

  it('is made anew where observations have changed, and kept where they have not', async () => {
    const observed = [at('other.csv')];
    writeFileSync(observed[0], text('observed.csv'));
    const made = () => runBatch(plan('again', { observed }), { resume: true });
    expect(await made()).toMatchObject({ finished: 4, kept: 0 });
    expect(await made()).toMatchObject({ finished: 0, kept: 4 });
    writeFileSync(observed[0], `${text('observed.csv')}\n2020-01-01,3.5,degC`);
    expect(await made()).toMatchObject({ finished: 4, kept: 0 });
    const sources = JSON.parse(text('again', 'manifest.json')).outputs[0].inputs;
    expect(sources).toEqual([at('runs', '2015.csv'), observed[0]]);
  });

  it.each([
    [{ observed: [] }, {}, /verify.observed: .* an empty list; allowed: a list of files/],
    [{ by: ['led'] }, {}, /by: unknown; received "led"/],
    [{ samples: 5 }, {}, /verify.samples: is for intervals; received 5; allowed: confidence beside it/],
    [{ result: 'state', confidence: 0.9 }, { format: 'json' }, /verify.confidence: is for tables/],
    [{ result: 'state' }, {}, /format: cannot hold a state; received "csv"; allowed: json/],
    [{ quantile: [0.9] }, {}, /verify: unknown option, the nearest is quantiles/],
    [
      { against: 'climate' },
      {},
      /verify.against: unknown; received "climate"; allowed: climatology, persistence, none/,
    ],
    [{ match: 'near' }, {}, /verify.match: unknown/],
    [{}, { quantiles: [0.1] }, /quantiles: is of statistics, and verify makes scores/],
    [{}, { climatologies: ['weeks.arrow'] }, /climatologies: is of statistics/],
    [{}, { format: 'netcdf' }, /format: keeps grids, and scores are tables; received "netcdf"/],
  ] as const)('is rejected in words: %j, %j', (verify, more, message) => {
    expect(() => checkPlan(plan('none', verify, more as Partial<BatchPlan>))).toThrow(message);
  });
});

describe('a request to the worker that verifies', () => {
  const ofFile = (verify: object) => {
    const { variables, granularities } = plan('none');
    return request({
      file: at('runs', '2017.csv'),
      plan: { variables, granularities, verify: { ...VERIFY, ...verify } },
    });
  };

  it('has the scores of a file', async () => {
    const { answers } = await talk(ofFile({}));
    const scores = tableFromIPC(answers[0].bytes).toArray();
    const [head, ...rows] = (await command(at('runs', '2017.csv')))
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    expect(scores.map(({ value }) => value)).toEqual(
      rows.map((row) => (row[head.indexOf('value')] === '' ? null : Number(row[head.indexOf('value')]))),
    );
    expect(answers[0].notices.map(({ source }) => source)).toEqual([at('runs', '2017.csv')]);
  });

  it('has the state of data that follow', async () => {
    const [head, ...rows] = text('runs', '2017.csv')
      .split('\n')
      .map((line) => line.split(','));
    const columns = head.map((name, k): [string, unknown[]] => [
      name,
      rows.map((row) => (/^m\d/.test(name) ? Number(row[k]) : row[k])),
    ]);
    const { table } = await import('../table/tables.js');
    const { variables, granularities } = plan('none');
    const verify = { ...VERIFY, result: 'state' };
    const { answers } = await talk(
      request({ plan: { variables, granularities, verify } }, table(Object.fromEntries(columns) as never, {})),
    );
    expect(answers[0].error).toBeUndefined();
    const [{ state }] = tableFromIPC(answers[0].bytes).toArray();
    writeFileSync(at('sent.json'), state);
    expect((await plumecastHere('verify', at('sent.json'), '--format', 'csv')).out).toBe(
      await command(at('runs', '2017.csv')),
    );
  });
});
