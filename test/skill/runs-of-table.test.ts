import { DateDay, Float64, Int32, Table, TimestampMillisecond, Utf8, type Vector, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { loadSkill, verificationTable, verify } from '../../src/skill/index.js';
import { runsOfTable } from '../../src/table/daily/runs-of-table.js';

const DAY = 86_400_000;
const days = (first: number, count: number) => Array.from({ length: count }, (_, i) => new Date(DAY * (first + i)));
const value = (day: number, member: number) => 10 + ((day * 37 + member * 11) % 17) / 4;
const STARTS = Array.from({ length: 12 }, (_, k) => 10_000 + 61 * k);

/** The rows of runs of three members, 14 days each. */
function rows(starts: readonly number[]) {
  const day = starts.flatMap((start) => Array.from({ length: 14 }, (_, i) => start + i));
  return {
    start: starts.flatMap((start) => Array.from({ length: 14 }, () => start)),
    date: vectorFromArray(
      day.map((each) => new Date(DAY * each)),
      new DateDay(),
    ),
    ...Object.fromEntries(
      [0, 1, 2].map((m) => [
        `member_${m}`,
        vectorFromArray(
          day.map((each) => value(each, m)),
          new Float64(),
        ),
      ]),
    ),
  } as { start: number[]; date: Vector; [member: string]: unknown };
}

const AS: Record<string, (starts: readonly number[]) => Vector> = {
  dates: (starts) =>
    vectorFromArray(
      starts.map((start) => new Date(DAY * start)),
      new DateDay(),
    ),
  timestamps: (starts) =>
    vectorFromArray(
      starts.map((start) => DAY * start + 6 * 3_600_000),
      new TimestampMillisecond(),
    ),
  texts: (starts) =>
    vectorFromArray(
      starts.map((start) => new Date(DAY * start).toISOString().slice(0, 10)),
      new Utf8(),
    ),
};

function together(column: Vector, { start: _, ...others }: ReturnType<typeof rows>, name = 'init_time'): Table {
  return new Table({ [name]: column, ...others } as Record<string, Vector>);
}

describe('a table with several runs', () => {
  it.each(Object.keys(AS))('is verified as its runs are, each by its start, which are %s', async (as) => {
    const [core, skill] = [await loadCore(), await loadSkill()];
    const observed = new Table({
      date: vectorFromArray(days(9_900, 900), new DateDay()),
      temp_mean: vectorFromArray(
        Array.from({ length: 900 }, (_, i) => value(9_900 + i, 5)),
        new Float64(),
      ),
    });
    const all = rows(STARTS);
    const options = {
      variable: 'temp_mean',
      against: 'none',
      categories: 0,
      granularity: 'daily',
    } as const;
    const score = async (forecasts: Table[]) => {
      const verified = await verify(core, skill, { forecasts, observed }, options);
      const found = verificationTable(verified).toArray();
      return { rows: found.map((row) => ({ ...row })), warnings: verified.warnings };
    };
    const one = await score([together(AS[as](all.start), all)]);
    const each = STARTS.map((start) => rows([start]));
    const many = await score(each.map((run) => together(AS[as](run.start), run)));
    expect(one).toEqual(many);
    expect(one.rows.length).toBeGreaterThan(14);
    expect(one.warnings.join()).not.toContain('no init time');
  });

  it('is divided whatever the order of its rows', () => {
    const all = rows([10_000, 10_061]);
    const order = Array.from({ length: 28 }, (_, i) => (i % 2) * 14 + (i >> 1));
    const shuffled = together(
      AS.texts(order.map((i) => all.start[i])),
      {
        start: [],
        date: vectorFromArray(
          order.map((i) => all.date.get(i)),
          new DateDay(),
        ),
      },
      'Run_Date',
    );
    const runs = runsOfTable(shuffled);
    expect(runs.map((run) => [run.schema.metadata.get('init_time'), run.numRows])).toEqual([
      ['1997-05-19', 14],
      ['1997-07-19', 14],
    ]);
    expect(runs.map((run) => run.schema.names)).toEqual([['date'], ['date']]);
    expect([...(runs[1].getChild('date') as Vector)]).toEqual([...all.date].slice(14));
  });

  it('stays as it is without such a column, with one of something else, and where its run is stated', () => {
    const all = rows([10_000]);
    const numbers = together(vectorFromArray(all.start, new Int32()), all, 'run');
    const words = together(
      vectorFromArray(
        all.start.map(() => 'control'),
        new Utf8(),
      ),
      all,
      'run',
    );
    const dated = together(AS.dates(all.start), all);
    dated.schema.metadata.set('init_time', '1997-05-20');
    for (const table of [numbers, words, dated]) expect(runsOfTable(table)).toEqual([table]);
  });
});
