import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../src/period/day.js';
import { PLACE_SCORES, skillOfPlaces } from '../../src/service/record/skill-of-places.js';
import { readRecord } from '../../src/service/source/folder/index.node.js';
import { isFullCheck } from '../full-check.js';
import { SimulatedFeed } from '../service/record/simulated-feed.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { plumecastHere } from './run-here.js';

const FIRST = dayNumber(2026, 3, 2);

/** The rows of CSV as objects. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head, ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])));
}

/** The files of a folder that this process holds open, where the system tells. */
function openFilesOf(folder: string): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // The one that lists them.
    }
  });
}

describe('plumecast verify --store', () => {
  it('scores what came due, says what is new, and writes the scores of the record', async () => {
    const feed = new SimulatedFeed({ places: 4, members: 6, days: 9, firstDay: FIRST, historyDays: 365 * 5 });
    const store = temporaryFolder();
    await feed.begin(store);
    for (let run = 0; run < 10; run++) await feed.advance(store, FIRST + run);
    const first = await plumecastHere('verify', '--store', store);
    // Nine runs, of 9 to 1 observed days, at four places; and the week from the first day on.
    expect([first.code, first.err]).toEqual([0, `note: ${4 * 45 + 4} new cases were scored\n`]);
    const rows = rowsOf(first.out);
    const daily = rows.filter(({ granularity, score }) => granularity === 'daily' && score === 'crps');
    expect(
      daily.map(({ horizon, variable, lead, lead_unit, cases, blocks }) => [
        horizon,
        variable,
        lead,
        lead_unit,
        cases,
        blocks,
      ]),
    ).toEqual(
      Array.from({ length: 9 }, (_, lead) => ['short-term', 'temp_mean', `${lead}`, 'days', `${4 * (9 - lead)}`, '1']),
    );
    expect(Number(daily[0].skill)).toBeGreaterThan(0.4);
    expect(rows.filter(({ granularity, score }) => granularity === 'weekly' && score === 'rps')).toHaveLength(1);
    const second = await plumecastHere('verify', '--store', store, '--granularity', 'weekly', '--table', 'ranks');
    expect(second).toMatchObject({ code: 0, err: 'note: nothing is due that was not scored\n' });
    expect(rowsOf(second.out).map(({ rank }) => rank)).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    const figure = ['--figure', 'skill', '--granularity', 'daily'];
    const drawn = await plumecastHere('verify', '--store', store, '--variable', 'temp_mean', ...figure);
    expect(drawn.out).toContain('Skill of the CRPS by lead: temp mean, daily, short-term');
    const both = await plumecastHere('verify', '--store', store, '--figure', 'ranks');
    expect([...both.out.matchAll(/class="heading"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      'temp mean, daily, short-term',
      'temp mean, weekly means, short-term',
    ]);
    const map = (...args: string[]) => plumecastHere('verify', '--store', store, '--figure', 'map', ...args);
    const [all, first3, last] = [
      await map('--granularity', 'daily'),
      await map('--granularity', 'daily', '--lead', '3', '--horizon', 'short-term', '--score', 'rps'),
      await map('--granularity', 'daily', '--lead', '9'),
    ];
    expect(all.out).toContain('Skill of the CRPS: temp mean, daily, short-term');
    expect(all.out).toContain(`all leads together · ${4 * 45} cases · against the climatology`);
    expect(first3.out).toContain(`lead 3 days · ${4 * 6} cases`);
    expect(last.err).toMatch(/--lead: has no cases in the record; received 9/);
    expect((await map()).err).toMatch(/--figure map: shows one series of the record; received .*daily.*weekly/);
    // The last one may still be closing.
    await expect.poll(() => openFilesOf(store)).toEqual([]);
    expect((await map('--granularity', 'daily', '--score', 'brier')).err).toMatch(/--score: is not kept by place/);
    expect((await map('--granularity', 'daily', '--confidence', '0.9')).err).toMatch(
      /--confidence: needs starts apart/,
    );
    expect((await map('--horizon', 'seasonal')).err).toMatch(
      /figure: the record has nothing of what is requested; allowed: short-term temp_mean daily, short-term temp_mean weekly/,
    );
    const again = await plumecastHere('verify', '--store', store, '--rescore', '--variable', 'temp_mean');
    expect(again.err).toBe(`note: ${4 * 45 + 4} new cases were scored\n`);
    expect(again.out).toBe(first.out);
  });

  if (isFullCheck) {
    it('draws a map of the skill that the record has of each place', async () => {
      const feed = new SimulatedFeed({ places: 1, members: 6, days: 9, firstDay: FIRST, historyDays: 365 * 5 });
      const store = temporaryFolder();
      await feed.begin(store);
      for (let run = 0; run < 12; run++) await feed.advance(store, FIRST + run);
      const rows = rowsOf((await plumecastHere('verify', '--store', store, '--granularity', 'daily')).out);
      const [record] = (await readRecord(store)).filter(({ series }) => series.granularity === 'daily');
      for (const score of PLACE_SCORES) {
        for (const lead of [0, 3, 8]) {
          const { skill } = await record.withValues((sums) => skillOfPlaces(sums, 'temp_mean', score, lead));
          const row = rows.find((each) => each.score === score && each.lead === `${lead}`);
          expect(skill[0]).toBeCloseTo(Number(row?.skill), 12);
        }
      }
    });
  }

  it.each([
    [['--store', 'x', 'forecast.nc'], '--store has its own forecasts: name no others'],
    [['--store', 'x', '--observed', 'y.nc', '--by', 'month'], '--store cannot be used with --observed, --by'],
    [['--rescore', 'x.nc'], '--rescore needs --store DIR'],
    [['--lead', '3', 'x.nc', '--observed', 'y.nc'], '--lead needs --store DIR'],
    [['--store', 'x', '--lead', '3'], '--lead needs --figure map'],
    [[], 'name forecasts, or a store with --store DIR'],
  ])('is an error with %s', async (args, message) => {
    expect(await plumecastHere('verify', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  it('is an error where there is no store, and makes none', async () => {
    expect(await plumecastHere('verify', '--store', '/nowhere/store')).toMatchObject({
      code: 1,
      err: expect.stringContaining('/nowhere/store'),
    });
  });
});
