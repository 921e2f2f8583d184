import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const DAYS = Array.from({ length: 14 }, (_, day) => `2026-03-${String(day + 2).padStart(2, '0')}`);
/** Two members of two indices that no registry knows: NAO is the day plus the member, AO ten times as much. */
const rows = DAYS.flatMap((day, d) => [0, 1].map((member) => `${day},${member},${d + member},${10 * (d + member)}`));
const { folder, remove } = folderWith({
  'indices.csv': `date,member,NAO index,AO index\n${rows.join('\n')}\n`,
  'nao.csv': `date,member,nao\n${DAYS.flatMap((day, d) => [`${day},0,${d}`, `${day},1,${d + 1}`]).join('\n')}\n`,
});
afterAll(remove);

async function weeks(file: string, ...options: string[]): Promise<(string | number)[][]> {
  const args = ['--window', 'mean', '--granularity', 'weekly', '--quantiles', '0.5', '--format', 'json', '--quiet'];
  const { code, out, err } = await plumecastHere('stats', `${folder}/${file}`, ...options, ...args);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out).map(({ variable, mean }: { variable: string; mean: number }) => [variable, mean]);
}

describe('a variable of no registry', () => {
  it('is the column with exactly the name that is requested, of several columns', async () => {
    expect(await weeks('indices.csv', '--variable', 'NAO index')).toEqual([
      ['NAO index', 3.5],
      ['NAO index', 10.5],
    ]);
    expect((await weeks('indices.csv', '--variable', 'AO index')).map(([, mean]) => mean)).toEqual([35, 105]);
  });

  it('that no column has is an error that lists them', async () => {
    const { code, err } = await plumecastHere(
      ...['stats', `${folder}/indices.csv`, '--variable', 'PNA index', '--window', 'mean', '--granularity', 'weekly'],
    );
    expect([code, err]).toEqual([1, expect.stringContaining('received "NAO index", "AO index"')]);
  });

  it('has the name of its array, where the array is named', async () => {
    const converted = await plumecastHere('convert', `${folder}/nao.csv`, `${folder}/nao.nc`);
    expect([converted.code, converted.err]).toEqual([0, '']);
    const expected = [
      ['value', 3.5],
      ['value', 10.5],
    ];
    expect(await weeks('nao.nc', '--array', 'value')).toEqual(expected);
    expect(await weeks('nao.nc', '--variable', 'value')).toEqual(expected);
  });
});

describe('an array of no registry', () => {
  const at = (name: string) => join(folder, name);
  const run = async (...args: string[]) => {
    const { code, err } = await plumecastHere(...args, '--quiet');
    expect([code, err]).toEqual([0, '']);
  };

  it('has maxima and counts of days like a column', async () => {
    await run('convert', at('nao.csv'), at('own.nc'));
    const of = ['--granularity', 'weekly', '--format', 'json', '--quiet'];
    for (const window of [
      ['--window', 'max'],
      ['--days', '>3'],
    ]) {
      const stats = (file: string, name: string) =>
        plumecastHere('stats', at(file), ...of, '--variable', name, ...window);
      const array = await stats('own.nc', 'value');
      const column = await stats('nao.csv', 'nao');
      expect([array.code, array.err]).toEqual([0, '']);
      const numbers = (text: string) => JSON.parse(text).map(({ mean }: { mean: number }) => mean);
      expect(numbers(array.out)).toEqual(numbers(column.out));
    }
  });

  it('is drawn and computed in batches by its name, by rules and by days', async () => {
    await run('convert', at('nao.csv'), at('own.nc'));
    for (const [k, window] of [
      ['--window', 'max'],
      ['--days', '>3'],
    ].entries()) {
      const args = [at('own.nc'), '--variable', 'value', '--granularity', 'weekly', ...window];
      await run('plot', ...args, '--out', at(`own-${k}.svg`));
      expect(plumecast(['batch', ...args, '--out', at(`own-${k}`), '--quiet'])).toMatchObject({ code: 0, err: '' });
    }
  });
});

describe('--days', () => {
  it('allows one comparison with a number, and its errors say so', async () => {
    const error = async (text: string) =>
      (await plumecastHere('stats', `${folder}/nao.csv`, '--variable', 'nao', '--days', text)).err;
    const allowed = 'one comparison with a number, without a variable, such as ">20"';
    expect(await error('>20,>30')).toContain(`Unexpected comma at character 4; allowed: ${allowed}.`);
    expect(await error('>q90')).toContain(`Expected ${allowed}.`);
  });
});
