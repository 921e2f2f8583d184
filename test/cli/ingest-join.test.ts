import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';
import { snapshotOf } from './small-store.js';

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
const rows = (member: number) => DAYS.map((date, day) => `37,-80,${date},${10 * member + day}`);
const csv = (member: number) => `latitude,longitude,date,temp_mean\n${rows(member).join('\n')}\n`;
const { folder, remove } = folderWith({
  'mem2.csv': csv(2),
  'mem1.csv': csv(1),
  'mem3.csv': csv(3),
  'all.csv': `latitude,longitude,date,m1,m2,m3\n${DAYS.map((date, day) => `37,-80,${date},${10 + day},${20 + day},${30 + day}`).join('\n')}\n`,
  'older.csv': `latitude,longitude,date,temp_mean\n37,-80,2020-01-01,1\n37,-80,2020-01-02,2\n`,
  'newer.csv': `latitude,longitude,date,temp_mean\n37,-80,2020-01-03,3\n`,
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const ingest = (store: string, ...args: string[]) =>
  plumecastHere('ingest', '--store', at(store), '--units', 'degC', '--variable', 'temp_mean', ...args);

/** The members of each day of the timeline in a store. */
async function valuesIn(store: string): Promise<number[]> {
  let found: number[] = [];
  await snapshotOf(at(store), async ({ forecast }) => {
    expect(forecast?.timeline.variables.get('temp_mean')).toMatchObject({ days: 3, members: 3 });
    const values = new Float32Array(9);
    await forecast?.timeline.read('temp_mean', 0, values);
    found = [...values];
  });
  return found;
}

describe('ingest --join', () => {
  it('makes one ensemble of a file for each member, by a list and by a glob, as of one file of all', async () => {
    expect(await ingest('one', '--short-term', at('all.csv'))).toMatchObject({ code: 0, err: '' });
    const files = ['mem2.csv', 'mem1.csv', 'mem3.csv'].map(at);
    const pattern = ['--join', 'mem{member}.csv'];
    expect(await ingest('list', '--short-term', ...files, ...pattern)).toMatchObject({ code: 0 });
    expect(await ingest('glob', '--short-term', at('mem*.csv'), ...pattern)).toMatchObject({ code: 0 });
    const expected = await valuesIn('one');
    expect(expected).toContain(32);
    expect(await valuesIn('list')).toEqual(expected);
    expect(await valuesIn('glob')).toEqual(expected);
  });

  it('is an error where there is nothing to join, and where the pattern is none of the names', async () => {
    expect(await ingest('none', '--short-term', at('all.csv'), '--join', 'mem{member}.csv')).toMatchObject({
      code: 1,
      err: 'error: --join: has no effect: there is one file of each kind; received "mem{member}.csv"; allowed: several files, or a glob in quotes, such as "mem*.nc"\n',
    });
    const { code, err } = await ingest('none', '--short-term', at('mem*.csv'), '--join', 'run{member}.csv');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('--join: the pattern does not match the name of this file'),
    ]);
  });

  it('leaves each file by itself with none, also of a history', async () => {
    const history = ['--history', at('older.csv'), at('newer.csv'), '--join', 'none'];
    expect(await ingest('history', ...history)).toMatchObject({ code: 0 });
    await snapshotOf(at('history'), ({ history: found }) => {
      expect(found?.data.variables.get('temp_mean')?.days).toBe(3);
    });
  });
});
