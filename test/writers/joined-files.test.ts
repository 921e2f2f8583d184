import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';

/*
 * One ensemble in many files, in the ways of people's scripts with xarray (`write_joined.py`).
 */

const folder = mkdtempSync(join(tmpdir(), 'plumecast-joined-'));
afterAll(() => rmSync(folder, { recursive: true }));
const ways: string[] =
  hasPython('xarray') && hasPython('netCDF4')
    ? JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_joined.py'), [folder]))
    : [];
const WEEKS = ['--granularity', 'weekly', '--format', 'csv', '--threshold', '>20'];

describe.skipIf(ways.length === 0)('an ensemble that xarray wrote in many files', () => {
  it.each(ways)('has the statistics of the whole: %s', async (way) => {
    const whole = await plumecastHere('stats', join(folder, 'whole.nc'), ...WEEKS, '-q');
    expect(whole.out.split('\n')).toHaveLength(20);
    const files = readdirSync(join(folder, way)).map((name) => join(folder, way, name));
    const joined = await plumecastHere('stats', ...files.reverse(), ...WEEKS);
    expect(joined.err).toContain(`${files.length} files are one: `);
    expect(joined.out).toBe(whole.out);
  });

  it('is one input of convert, and of blend, in the place of a file', async () => {
    const made = join(folder, 'made.arrow');
    const convert = await plumecastHere('convert', join(folder, 'names/*.nc'), made, '-q');
    expect(convert).toMatchObject({ code: 0, err: '' });
    const days = await plumecastHere('stats', made, '--format', 'csv', '-q');
    expect(days.out).toBe((await plumecastHere('stats', join(folder, 'whole.nc'), '--format', 'csv', '-q')).out);
    const timeline = await plumecastHere('blend', join(folder, 'names/*.nc'), '--format', 'csv', '-q');
    expect(timeline.code).toBe(0);
  });

  it('is an error where one of its files is damaged, and no ensemble of the others', async () => {
    const files = readdirSync(join(folder, 'names')).map((name) => join(folder, 'names', name));
    const cut = join(folder, 'tp_mem99.nc');
    writeFileSync(cut, readFileSync(files[0]).subarray(0, 4000));
    const { code, out, err } = await plumecastHere('stats', ...files, cut, '--format', 'csv', '-q');
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(`error: ${cut}`)]);
  });

  it.each([
    [['names/tp_mem00.nc'], 'error: --join: there is one file; received "mem{member}"'],
    [['https://example.org/a.nc', 'names/tp_mem00.nc'], 'error: --join: files at web addresses are not joined'],
  ])('--join without an effect is an error: %s', async (names, message) => {
    const paths = names.map((name) => (name.startsWith('https') ? name : join(folder, name)));
    const { code, err } = await plumecastHere('stats', ...paths, '--join', 'mem{member}');
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('is not one where files overlap', async () => {
    const [one, other] = ['members/z.nc', 'days/001.nc'].map((name) => join(folder, name));
    const { out } = await plumecastHere('stats', one, other, '--format', 'csv', '-q');
    expect(out.split('\n')[0]).toMatch(/^source,/);
  });
});
