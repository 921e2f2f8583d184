import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const days = Array.from({ length: 7 }, (_, i) => `2026-03-0${i + 2}`);
const table = (name: string) =>
  ['date', name, 'foo'].join(',') + days.map((day, i) => `\n${day},${i},${i * 100}`).join('');
const { folder, remove } = folderWith({
  'height.csv': table('height'),
  'snow.csv': table('snow'),
  'empty.csv': `latitude,longitude,date,temp_mean (degC)\n${[50, 51].flatMap((y) => days.map((day) => `${y},7,${day},`)).join('\n')}\n`,
});
afterAll(remove);
const path = (name: string) => join(folder, name);

describe('a variable that has the name of a column', () => {
  it.each([
    // A word that else describes a row, and one that is unknown beside another one.
    ['height.csv', 'height', 3],
    ['height.csv', 'foo', 300],
    ['snow.csv', 'snow', 3],
    ['snow.csv', 'foo', 300],
  ])('is the one of %s: %s', async (file, name, mean) => {
    const how = ['--variable', name, '--window', 'mean', '--granularity', 'weekly', '--format', 'json'];
    const { code, out } = await plumecastHere('stats', path(file), ...how);
    expect([code, JSON.parse(out)]).toEqual([0, [expect.objectContaining({ variable: name, n_members: 1, mean })]]);
  });

  it('is no member where none is named: those are all columns, as a note says', async () => {
    const { err } = await plumecastHere('stats', path('snow.csv'), '--window', 'mean', '--granularity', 'weekly');
    expect(err).toContain('columns taken for members: snow, foo');
  });
});

it('a map of what has no value is an error, and no picture', async () => {
  const { code, err } = await plumecastHere('plot', '--map', path('empty.csv'), '--out', path('empty.svg'));
  expect([code, err]).toEqual([1, expect.stringContaining('empty.csv: has no value: all are missing')]);
  expect(existsSync(path('empty.svg'))).toBe(false);
});
