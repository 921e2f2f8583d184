import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, expect } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { formatDate, parseDate } from '../../src/period/day.js';
import { readSums } from '../../src/service/record/record-sums.js';
import { verifyStore } from '../../src/service/record/verify-store.js';
import { beginUpdate, type FolderStore, openStore } from '../../src/service/source/folder/index.node.js';
import { loadSkill } from '../../src/skill/index.js';
import { SimulatedFeed } from '../service/record/simulated-feed.js';
import { section, test } from './section.js';
import { type Body, createService } from './service.js';

const FIRST = parseDate('2026-02-02');
const RUNS = 24;
const DAYS = 12;
const PATH = '/v2/forecast/statistics?lat=30.1&lon=1.1&var=temp_mean';

const dir = mkdtempSync(join(tmpdir(), 'plumecast-skill-'));
let store: FolderStore;
let service: ReturnType<typeof createService>;
/** Bodies and tags before anything was scored. */
let before: { body: string; tag: string | null; skill: Body; skillTag: string | null };

const textOf = async (path: string) => (await service.request(path)).text();
const tagOf = async (path: string) => (await service.request(path)).headers.get('etag');

beforeAll(async () => {
  const feed = new SimulatedFeed({ places: 2, members: 8, days: DAYS, firstDay: FIRST, historyDays: 365 * 5 });
  await feed.begin(dir);
  for (let run = 0; run < RUNS; run++) await feed.advance(dir, FIRST + run);
  store = await openStore(dir, { refreshSeconds: 0 });
  service = createService({ source: store });
  const skill = `${PATH}&skill=true`;
  before = {
    body: await textOf(PATH),
    tag: await tagOf(PATH),
    skill: await service.get(skill),
    skillTag: await tagOf(skill),
  };
  const update = await beginUpdate(dir);
  await verifyStore(await loadCore(), await loadSkill(), update);
  await update.commit();
}, 120_000);

afterAll(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The sums of the record at the second place, by lead. */
async function sumsOf(granularity: string) {
  const { record } = await store.snapshot();
  const { data } = record!.series.find((each) => each.granularity === granularity)!;
  const { days, members } = data.variables.get('temp_mean')!;
  const block = new Float32Array(days * members);
  await data.read('temp_mean', 1, block);
  return Array.from({ length: days }, (_, at) => readSums(block, days, at));
}

const rounded = (value: number) => Number(value.toFixed(2));

section('Extension: skill', import.meta.url, {
  fields:
    test('days have the skill of 23 and fewer forecasts at their place and lead, a week that of its own', async () => {
      const { variables } = await service.get(`${PATH}&skill=true`);
      const sums = await sumsOf('daily');
      const entries = Object.entries<Body>(variables.temp_mean.statistics);
      expect(entries.map(([key]) => key)).toEqual(sums.map((_, lead) => formatDate(FIRST + RUNS - 1 + lead)));
      for (const [lead, [, entry]] of entries.entries()) {
        const { cases, crps, referenceCrps, rps, referenceRps } = sums[lead];
        expect(cases).toBe(RUNS - 1 - lead);
        expect(entry.skill_cases).toBe(cases);
        if (cases < 20) continue;
        expect([entry.crpss, entry.rpss]).toEqual([rounded(1 - crps / referenceCrps), rounded(1 - rps / referenceRps)]);
      }
      expect(entries[0][1].crpss).toBeGreaterThan(0.4);
      const weekly = await service.get(`${PATH}&granularity=weekly&skill=true`);
      const [week] = Object.values<Body>(weekly.variables.temp_mean.statistics);
      expect(week.skill_cases).toBeGreaterThan(10);
      expect(week.skill_cases).toBe((await sumsOf('weekly'))[0].cases);
    }),

  few: test('of 19 cases skill is null, of 20 it is not', async () => {
    const { variables } = await service.get(`${PATH}&skill=true`);
    const entries = Object.values<Body>(variables.temp_mean.statistics);
    expect(entries.slice(3, 5).map((entry) => [entry.skill_cases, entry.crpss === null, entry.rpss === null])).toEqual([
      [20, false, false],
      [19, true, true],
    ]);
  }),

  period: test('the period is from the first run to the day before the last one', async () => {
    const body = await service.get(`${PATH}&skill=true`);
    expect(body.skill_period).toBe(`${formatDate(FIRST)}/${formatDate(FIRST + RUNS - 2)}`);
    const one = await service.get(`${PATH}&skill=true&start_date=${formatDate(FIRST + RUNS + 1)}`);
    expect(one.skill_period).toBe(`${formatDate(FIRST + 2)}/${formatDate(FIRST + RUNS - 2)}`);
  }),

  none: test('before anything was scored, days have null and 0, and no period is stated', async () => {
    expect(before.skill.skill_period).toBeUndefined();
    for (const entry of Object.values<Body>(before.skill.variables.temp_mean.statistics))
      expect([entry.crpss, entry.rpss, entry.skill_cases]).toEqual([null, null, 0]);
  }),

  tables: test('CSV and Arrow have the numbers of JSON, not rounded', async () => {
    const { variables, skill_period } = await service.get(`${PATH}&skill=true`);
    const entries = Object.values<Body>(variables.temp_mean.statistics);
    const response = await service.request(`${PATH}&skill=true`, { Accept: 'application/vnd.apache.arrow.stream' });
    const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    expect(table.schema.metadata.get('skill_period')).toBe(skill_period);
    const rows = table.toArray().map((row) => row.toJSON());
    expect(rows.map(({ crpss }) => (crpss === null ? null : rounded(crpss)))).toEqual(
      entries.map(({ crpss }) => crpss),
    );
    expect(rows.map(({ skill_cases }) => skill_cases)).toEqual(entries.map((entry) => entry.skill_cases));
    const [head, ...lines] = (await (await service.request(`${PATH}&skill=true`, { Accept: 'text/csv' })).text())
      .trim()
      .split('\n');
    const at = head.split(',').indexOf('rpss');
    expect(head).toMatch(/,crpss,rpss,skill_cases$/);
    expect(
      lines.map((line) => line.split(',')[at]).map((text) => (text === '' ? null : rounded(Number(text)))),
    ).toEqual(entries.map(({ rpss }) => rpss));
  }),

  default: test('a body without skill is what it was before anything was scored', async () => {
    for (let time = 0; time < 3; time++) expect(await textOf(PATH)).toBe(before.body);
    expect(await textOf(`${PATH}&skill=false`)).toBe(before.body);
  }),

  changes: test('the tag without skill is what it was, the one with skill is another', async () => {
    expect(await tagOf(PATH)).toBe(before.tag);
    expect(await tagOf(`${PATH}&skill=true`)).not.toBe(before.skillTag);
  }),
});
