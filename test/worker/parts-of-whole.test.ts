import { readFileSync } from 'node:fs';
import { type Table, tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { casePath } from '../reference/data-folder.js';
import { table } from '../table/tables.js';
import { type Answer, request, talk } from './talk.js';

/** A row for each of these members and days at a place. */
function longTable(latitude: number, members: readonly string[], days: number): Table {
  const all = members.flatMap((member) => Array.from({ length: days }, (_, day) => ({ member, day })));
  return table(
    {
      latitude: all.map(() => latitude),
      longitude: all.map(() => 7),
      date: all.map(({ day }) => `2026-01-${String(day + 5).padStart(2, '0')}`),
      member: all.map(({ member }) => member),
      precipitation: all.map(({ member, day }) => Number(member) / 10 + day),
    },
    {},
  );
}

const TEN = Array.from({ length: 10 }, (_, member) => String(member));
const weekly = { granularity: 'weekly' };

async function answer(fields: Record<string, unknown>, data: Table) {
  const { answers } = await talk(request({ options: weekly, ...fields }, data));
  return answers[0];
}

const firstRow = ({ bytes }: Answer) => tableFromIPC(bytes).get(0)?.toJSON();

describe('a request for a part of a whole', () => {
  it('counts the members of the whole, also those without rows', async () => {
    const half = longTable(50, TEN.slice(5), 7);
    const alone = firstRow(await answer({}, half));
    expect(alone).toMatchObject({ n_members: 5, mean: expect.any(Number) });
    const part = firstRow(await answer({ part: { members: TEN } }, half));
    expect(part).toMatchObject({ n_members: 5, mean: null, q50: null });
  });

  it('gives the same bits for members in any order of rows', async () => {
    const forwards = longTable(50, TEN, 7);
    const backwards = longTable(50, [...TEN].reverse(), 7);
    const part = { members: TEN };
    expect((await answer({ part }, backwards)).bytes).toEqual((await answer({ part }, forwards)).bytes);
  });

  it('without a complete window gives no rows, where the data alone are an error', async () => {
    const short = longTable(50, TEN, 5);
    expect((await answer({}, short)).error).toMatchObject({ problem: 'no complete ISO week' });
    for (const part of [{}, { members: TEN }]) {
      expect(await answer({ part }, short)).toMatchObject({ rows: 0, bytes: { length: 0 } });
    }
  });

  it.each([
    [{ members: ['0', '1'] }, 'the part has a member that the whole does not have'],
    [{ members: 11 }, 'the part has another number of members than the whole'],
    [{ members: ['0', '0'] }, 'has a label twice'],
    [{ members: [] }, 'cannot be used'],
    [{ members: 1.5 }, 'cannot be used'],
    [{ member: 3 }, 'unknown'],
    ['all', 'cannot be used'],
  ])('is an error with %j', async (part, problem) => {
    const { error } = await answer({ part }, longTable(50, TEN, 7));
    expect(error?.problem).toContain(problem);
  });

  it('is an error with a plan', async () => {
    const fields = { options: undefined, plan: { granularities: ['weekly'] }, part: {} };
    expect((await answer(fields, longTable(50, TEN, 7))).error?.message).toContain('plan: is given with part');
  });
});

const half = casePath('spark/place-with-half-the-members.csv');
const short = casePath('spark/short-places.csv');

/** The numbers of members and the means of all places of a case, whose places are divided among parts of a whole. */
async function resultsOf(path: string, partitions: number) {
  const [header, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const names = header.split(',');
  const rows = lines.map((line) => line.split(','));
  const places = [...new Set(rows.map(([latitude, longitude]) => `${latitude},${longitude}`))];
  const members = [...new Set(rows.map((row) => row[names.indexOf('member')]))];
  const found: { n_members: number; mean: number | null }[] = [];
  for (let partition = 0; partition < Math.min(partitions, places.length); partition++) {
    const own = rows.filter(([lat, lon]) => places.indexOf(`${lat},${lon}`) % partitions === partition);
    const column = (name: string) => own.map((row) => row[names.indexOf(name)]);
    const numbers = (name: string) => column(name).map(Number);
    const data = table(
      {
        ...{ latitude: numbers('latitude'), longitude: numbers('longitude'), date: column('date') },
        ...{ member: column('member'), precipitation: numbers('precipitation') },
      },
      {},
    );
    const { error, bytes } = await answer({ part: { members } }, data);
    expect(error).toBeUndefined();
    if (bytes.length > 0)
      found.push(
        ...tableFromIPC(bytes)
          .toArray()
          .map((row) => row.toJSON()),
      );
  }
  return found
    .map(({ n_members, mean }) => [n_members, mean])
    .sort(([a, x], [b, y]) => Number(a) - Number(b) || Number(x) - Number(y));
}

describe.skipIf(half === undefined || short === undefined)('places that are divided among partitions', () => {
  it('have no mean where half of the members are missing, in any number of partitions', async () => {
    for (const partitions of [1, 2, 3, 8]) {
      const results = await resultsOf(half as string, partitions);
      expect(
        results.map(([members, mean]) => [members, mean === null]),
        `${partitions}`,
      ).toEqual([
        [5, true],
        [10, false],
      ]);
    }
  });

  it('have the same results where some are too short for a window, in any number of partitions', async () => {
    const whole = await resultsOf(short as string, 1);
    expect(whole.length).toBeGreaterThan(0);
    for (const partitions of [5, 7, 17, 32]) expect(await resultsOf(short as string, partitions)).toEqual(whole);
  });
});
