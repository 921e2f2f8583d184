import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecastHere } from '../cli/run-here.js';
import { serveFolder } from '../files/zarr/http-server.js';
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

  it.each(['temp_mean', 'precipitation'])(
    'has all variables of a zip with a file for each, or of a glob: %s',
    async (variable) => {
      const stats = async (path: string) => {
        const { code, out } = await plumecastHere('stats', join(folder, path), '-v', variable, '--format', 'csv', '-q');
        expect([path, code]).toEqual([path, 0]);
        return out;
      };
      expect(await stats('kinds.zip')).toBe(await stats('both.nc'));
      const made = join(folder, `of-${variable}.arrow`);
      const convert = await plumecastHere('convert', join(folder, 'kinds/*.nc'), made, '-v', variable, '-q');
      expect(convert).toMatchObject({ code: 0, err: '' });
      expect(await stats(`of-${variable}.arrow`)).toBe(await stats('both.nc'));
    },
  );

  it('is said why the files in a zip are not one', async () => {
    const { code, err } = await plumecastHere('stats', join(folder, 'later.zip'), '-v', 'temp_mean');
    expect([code, err]).toEqual([
      1,
      `error: ${join(folder, 'later.zip')}: is an archive of several inputs: the array time is not the same in data_stepType-accum.nc and in data_stepType-later.nc; received "data_stepType-accum.nc", "data_stepType-later.nc"; allowed: one of them, unpacked first: unzip ${join(folder, 'later.zip')}\n`,
    ]);
  });

  it('is, of several runs, an input for each, and is said why files are apart', async () => {
    const names = readdirSync(join(folder, 'members-of-runs')).map((name) => join(folder, 'members-of-runs', name));
    const { code, out, err } = await plumecastHere('stats', ...names, '--format', 'csv');
    const [header, ...rows] = out.trim().split('\n');
    expect([code, header.split(',')[0], rows.length]).toEqual([0, 'source', 3 * 21 * 6]);
    expect(err).toContain(
      'files of 3 runs, from 2001-03-02T00:00:00Z to 2003-03-02T00:00:00Z: each run is an input of its own',
    );
    const apart = await plumecastHere(
      'stats',
      join(folder, 'runs/2001.nc'),
      join(folder, 'whole.nc'),
      '--format',
      'csv',
    );
    expect(apart.err).toContain('each file is an input of its own: ');
  });

  it('has the climatology of the whole, also of runs with a file for each member', async () => {
    const climatology = async (...given: string[]) => {
      const options = ['--reference', '2001-2003', '--granularity', 'weekly', '--format', 'csv', '-q'];
      const { code, err, out } = await plumecastHere('climatology', ...given, '--init', 'all', ...options);
      expect([code, err]).toEqual([0, '']);
      return out;
    };
    const ofRuns = await climatology(join(folder, 'runs/*.nc'));
    expect(ofRuns.split('\n').length).toBeGreaterThan(12);
    expect(await climatology(join(folder, 'members-of-runs/*.nc'))).toBe(ofRuns);
    expect(await climatology(join(folder, 'members-of-runs/*.nc'), '--join', '*_{member}.nc')).toBe(ofRuns);
  });

  it('is, of several runs that a pattern joins, one input, of which --init takes one', async () => {
    const names = readdirSync(join(folder, 'members-of-runs')).map((name) => join(folder, 'members-of-runs', name));
    const joined = ['--join', '*_{member}.nc', '--format', 'csv', '-q'];
    const all = await plumecastHere('stats', ...names, ...joined);
    expect([all.code, all.err]).toEqual([1, expect.stringContaining('--init: array tp holds 3 runs; allowed: ')]);
    const one = await plumecastHere('stats', ...names, ...joined, '--init', '2002-03-02');
    const { out } = await plumecastHere('stats', join(folder, 'runs/2002.nc'), '--format', 'csv', '-q');
    expect([one.code, one.out]).toEqual([0, out]);
  });

  it('is the same of files at addresses, by a pattern of their names', async () => {
    await using server = await serveFolder(join(folder, 'names'));
    const names = readdirSync(join(folder, 'names')).filter((name) => name.includes('mem'));
    const args = ['--join', 'mem{member}', '--format', 'csv', '-q'];
    const local = await plumecastHere('stats', ...names.map((name) => join(folder, 'names', name)), ...args);
    const remote = await plumecastHere('stats', ...names.map((name) => `${server.url}/${name}`), ...args);
    expect([local.code, remote.code, remote.err]).toEqual([0, 0, '']);
    expect(remote.out).toBe(local.out);
    const missing = await plumecastHere('stats', `${server.url}/${names[0]}`, `${server.url}/mem99.nc`, ...args);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('/mem99.nc: the server does not give it')]);
  });

  it('is an error where one of its files is damaged, and no ensemble of the others', async () => {
    const files = readdirSync(join(folder, 'names')).map((name) => join(folder, 'names', name));
    const cut = join(folder, 'tp_mem99.nc');
    writeFileSync(cut, readFileSync(files[0]).subarray(0, 4000));
    const { code, out, err } = await plumecastHere('stats', ...files, cut, '--format', 'csv', '-q');
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(`error: ${cut}`)]);
  });

  it.each([[['names/tp_mem00.nc'], 'error: --join: there is one file; received "mem{member}"']])(
    '--join without an effect is an error: %s',
    async (names, message) => {
      const paths = names.map((name) => join(folder, name));
      const { code, err } = await plumecastHere('stats', ...paths, '--join', 'mem{member}');
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    },
  );

  it('is not one where files overlap', async () => {
    const [one, other] = ['members/z.nc', 'days/001.nc'].map((name) => join(folder, name));
    const { out } = await plumecastHere('stats', one, other, '--format', 'csv', '-q');
    expect(out.split('\n')[0]).toMatch(/^source,/);
  });
});
