import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plumecastHere } from '../../cli/run-here.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { type ObjectServer, serveObjects } from './object-server.js';

const objects = new Map<string, Uint8Array>();
let server: ObjectServer;
let folder: string;
const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`.plumecast.${process.pid}-`));
const POINT = ['--point', '52.5,13.5'];

describe.skipIf(!hasPython('xarray', 'netCDF4', 'pyarrow', 'eccodes'))('long files on a server', () => {
  beforeAll(async () => {
    server = await serveObjects(objects);
    folder = mkdtempSync(join(tmpdir(), 'plumecast-remote-inputs-'));
    pythonFile(resolve(import.meta.dirname, 'write_files.py'), [folder]);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    objects.clear();
    for (const name of readdirSync(folder)) objects.set(name, readFileSync(join(folder, name)));
    server.fault = undefined;
    server.delay = 0;
    server.reset();
  });
  afterEach(() => expect(copies()).toEqual([]));

  /** The output of a command for a file on the server, which is equal to what it gives for the file on the disk. */
  async function same(name: string, ...args: string[]): Promise<string> {
    const [command, ...options] = args;
    const local = await plumecastHere(command, join(folder, name), ...options);
    server.reset();
    const remote = await plumecastHere(command, `${server.url}/${name}`, ...options);
    const named = (text: string) => text.replaceAll(`${server.url}/`, '').replaceAll(`${folder}/`, '');
    expect({ ...remote, err: named(remote.err), out: named(remote.out) }).toEqual({
      ...local,
      ...{ err: named(local.err), out: named(local.out) },
    });
    expect(remote.code).toBe(0);
    return remote.out;
  }

  const shareOf = (name: string) => server.bytes / (objects.get(name) as Uint8Array).length;

  it('are read by ranges, of a point of NetCDF4 in chunks only the chunks that hold it', async () => {
    expect(await same('chunked.nc', 'stats', '-v', 'temp_mean', ...POINT)).toContain('2026-03-30');
    expect(shareOf('chunked.nc')).toBeLessThan(0.08);
    expect(server.requests.length).toBeLessThan(8);
  });

  it('are read by ranges, several at once', async () => {
    server.delay = 20;
    await same('planes.nc', 'stats', '-v', 'temp_mean', ...POINT);
    expect(shareOf('planes.nc')).toBeLessThan(0.6);
    expect(server.requests.length).toBeLessThan(30);
    expect(server.atOnce).toBeGreaterThan(1);
    expect(server.atOnce).toBeLessThanOrEqual(16);
    const requests = new Set(server.requests);
    expect(requests.size).toBe(server.requests.length);
  });

  it('are read by ranges, of NetCDF without chunks and NetCDF3', async () => {
    for (const name of ['contiguous.nc', 'classic.nc']) {
      await same(name, 'stats', '-v', 'temp_mean', ...POINT);
      expect(shareOf(name)).toBeLessThan(0.6);
    }
  });

  it('give the same climatology, copy and inspection', async () => {
    await same('planes.nc', 'inspect', '--json');
    await same('classic.nc', 'inspect', '--json');
    await same('chunked.nc', 'convert', '-', '-v', 'temp_mean', '--bbox', '50,10,52,13', '--to', 'csv');
    await same('contiguous.nc', 'climatology', '-v', 'precipitation', ...POINT, '--reference', '2026-2026');
    await same('fields.grib2', 'inspect', '--json');
    await same('table.parquet', 'inspect', '--json');
  });

  it('are read by the columns of Parquet that are needed', async () => {
    const weekly = ['stats', '-v', 'temp_mean', '--granularity', 'weekly', '--quiet'];
    expect(await same('table.parquet', ...weekly)).toContain('2026-W10');
    const { length } = objects.get('table.parquet') as Uint8Array;
    // Dates, members, and values of one variable of four.
    expect(server.bytes / length).toBeLessThan(0.55);
  });

  it('are read by the messages of GRIB that an index file lists for the variable', async () => {
    expect(await same('fields.grib2', 'stats', '-v', 'temp_mean', ...POINT)).toContain('2026-03-01');
    expect(server.requests.slice(0, 4)).toEqual([
      'fields.grib2 bytes=0-65536',
      'fields.grib2.idx bytes=0-65536',
      'fields.grib2.index bytes=0-65536',
      'fields.index bytes=0-65536',
    ]);
    expect(shareOf('fields.grib2')).toBeLessThan(0.6);
  });

  it('are copied as a whole where GRIB has no index file, or a page in its place', async () => {
    objects.set('fields.grib2.idx', Buffer.from('<html>not found</html>'));
    objects.delete('fields.index');
    await same('fields.grib2', 'stats', '-v', 'temp_mean', ...POINT, '--quiet');
    expect(shareOf('fields.grib2')).toBeGreaterThanOrEqual(1);
  });

  it('are copied as a whole, with a note, where the server ignores ranges', async () => {
    server.fault = ({ headers, url }, response) => {
      delete headers.range;
      response.writeHead(200).end(objects.get(String(url).slice(1)));
      return true;
    };
    const { code, err } = await plumecastHere('stats', `${server.url}/chunked.nc`, '-v', 'temp_mean', ...POINT);
    expect(code).toBe(0);
    expect(err).toContain(`note: ${server.url}/chunked.nc: all of it is copied: the server ignores ranges\n`);
    expect(server.requests).toHaveLength(1);
  });

  it('are read in whole or rejected, whatever fails', async () => {
    const local = await plumecastHere('stats', join(folder, 'planes.nc'), '-v', 'temp_mean', ...POINT, '--quiet');
    let seed = 5;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const outcomes: string[] = [];
    for (let run = 0; run < 12; run++) {
      let requests = 0;
      server.fault = (_, response) => {
        const kind = Math.floor(random() * 60);
        if (requests++ > 3 && run % 3 === 2)
          objects.set('planes.nc', Buffer.from(objects.get('planes.nc') as Uint8Array).fill(0, 9e5, 9e5 + 9));
        if (kind === 0) response.writeHead(429, { 'retry-after': '0' }).end();
        else if (kind === 1) response.destroy();
        else if (kind === 2 && run % 3 === 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
        else return false;
        return true;
      };
      const { code, out, err } = await plumecastHere(
        ...['stats', `${server.url}/planes.nc`, '-v', 'temp_mean', ...POINT, '--quiet'],
      );
      if (code === 0) expect(out).toBe(local.out);
      else expect([out, err]).toEqual(['', expect.stringMatching(/^error: http:\/\/127\.0\.0\.1:\d+\/planes\.nc: /)]);
      outcomes.push(code === 0 ? 'right' : 'error');
      objects.set('planes.nc', readFileSync(join(folder, 'planes.nc')));
    }
    expect(new Set(outcomes)).toEqual(new Set(['right', 'error']));
  });
});
