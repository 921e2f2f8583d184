import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/input/inspect/inspection.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const rows = (cells: (day: number) => readonly (number | string)[], days = 7) =>
  Array.from({ length: days }, (_, day) => `2024-01-0${day + 1},${cells(day).join()}`).join('\n');
const { folder, remove } = folderWith({
  'om.csv': `time,precipitation_sum (mm),precipitation_sum_member01 (mm),precipitation_sum_member02 (mm)\n${rows(() => [1, 2, 3])}\n`,
  'inch.csv': `time,tp_member0 (inch),tp_member1 (inch),elevation\n${rows(() => [1, 2, 300])}\n`,
  'two.csv': `time,temperature_2m_max (°C),temperature_2m_max_member01 (°C),precipitation_sum (mm),precipitation_sum_member01 (mm)\n${rows(() => [8, 9, 1, 2])}\n`,
  'bad.csv': `time,tp_1,tp_2\n${rows((day) => [1, day === 3 ? 'oops' : 2])}\n`,
  'longer.csv': `time,tp_1,tp_2\n${rows(() => [1, 2], 9)}\n`,
  'gap.csv': `time,tp_1 (mm),tp_3 (mm)\n${rows(() => [1, 2])}\n`,
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const weekly = async (name: string, ...args: string[]) => {
  const { code, out, err } = await plumecastHere(
    'stats',
    at(name),
    '--granularity',
    'weekly',
    '--format',
    'csv',
    ...args,
  );
  const [header, ...lines] = out.trim().split('\n');
  const results = lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, i) => [header.split(',')[i], cell])),
  );
  return { code, err: err.replaceAll(folder, 'DIR'), results };
};

describe('members by the names of columns, on the command line', () => {
  it('the columns of one stem are the members of one ensemble', async () => {
    const { code, err, results } = await weekly('om.csv');
    expect([code, err]).toEqual([0, '']);
    expect(results).toMatchObject([{ variable: 'precipitation', n_members: '3', mean: '14' }]);
  });

  it('units in brackets are converted, and a note lists columns of numbers that are left out', async () => {
    const { code, err, results } = await weekly('inch.csv');
    expect([code, err]).toEqual([0, 'note: DIR/inch.csv: inch to mm; column left out: elevation\n']);
    expect(Number(results[0].mean)).toBeCloseTo(1.5 * 7 * 25.4, 9);
  });

  it('one of several variables is chosen, and a note lists the columns of the others', async () => {
    const failed = await weekly('two.csv');
    expect(failed.code).not.toBe(0);
    expect(failed.err).toContain('--variable temp_max or precipitation');
    const { code, err, results } = await weekly('two.csv', '--variable', 'precipitation');
    expect([code, err]).toEqual([
      0,
      'note: DIR/two.csv: columns left out: temperature_2m_max (°C), temperature_2m_max_member01 (°C)\n',
    ]);
    expect(results).toMatchObject([{ n_members: '2', mean: '10.5' }]);
  });

  it('a cell of a member that is not a number is an error that names it', async () => {
    const { code, err } = await weekly('bad.csv');
    expect(code).not.toBe(0);
    expect(err).toContain('DIR/bad.csv, row 4, column tp_2: not a number; received "oops"');
  });

  it('stats, convert, blend and inspect report a missing member number', async () => {
    const note = 'note: DIR/gap.csv: no column for member 2\n';
    expect((await weekly('gap.csv')).err).toBe(note);
    const converted = await plumecastHere('convert', at('gap.csv'), at('gap.arrow'), '--variable', 'precipitation');
    expect(converted.err.replaceAll(folder, 'DIR')).toContain(note);
    const [inspection]: Inspection[] = JSON.parse((await plumecastHere('inspect', at('gap.csv'), '--json')).out);
    expect(inspection.variables).toMatchObject([
      { variable: 'precipitation', members: { count: 2 }, conversions: ['no column for member 2'] },
    ]);
    expect((await plumecastHere('inspect', at('gap.csv'))).out).toContain('no column for member 2');
    const blended = await plumecastHere('blend', at('gap.csv'), at('longer.csv'), '--out', at('blended.csv'));
    expect(blended.err.replaceAll(folder, 'DIR')).toContain(note);
  });

  it('converted members are in the order of the file, and keep their names', async () => {
    await plumecastHere('convert', at('om.csv'), at('om.arrow'), '--variable', 'precipitation');
    const names = /"precipitation_sum \(mm\)\\?","precipitation_sum_member01/;
    expect(readFileSync(at('om.arrow')).toString('latin1').replaceAll('\\', '')).toMatch(names);
  });

  it('each variable of a table of several is inspected by itself', async () => {
    const [{ variables, columns }]: Inspection[] = JSON.parse(
      (await plumecastHere('inspect', at('two.csv'), '--json')).out,
    );
    expect(variables.map(({ variable, members }) => [variable, members?.count])).toEqual([
      ['temp_max', 2],
      ['precipitation', 2],
    ]);
    expect(columns[2].role).toBe('values of temp_max');
  });
});
