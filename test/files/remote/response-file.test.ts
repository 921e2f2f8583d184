import { Table, tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { encodeTables, readTables } from '../../../src/files/index.js';
import { seeded } from '../../reference/fields.js';
import { serveValues, type TestServer } from '../zarr/http-server.js';

/* A response of which its server gives ranges: Parquet of it is read row group by row group, other files as they come. */

const ROWS = 200_000;
const random = seeded(3);
const groups = [0, 1, 2, 3].map((n) =>
  tableFromArrays({
    day: Int32Array.from({ length: ROWS }, (_, i) => n * ROWS + i),
    value: Float64Array.from({ length: ROWS }, random),
  }),
);
let core: Core;
let server: TestServer;
let parquet: Uint8Array;
const files = new Map<string, Uint8Array>();
/** Whether the server could send all of the body that it began. */
let isBodySent: boolean | undefined;

beforeAll(async () => {
  core = await loadCore();
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeTables(groups, 'parquet', { compression: 'none' })) pieces.push(piece.slice());
  parquet = Buffer.concat(pieces);
  files.set('a.parquet', parquet);
  files.set('short.parquet', await short());
  files.set('a.csv', Buffer.from(`date,member_0\n${'2026-03-02,1.5\n'.repeat(400_000)}`));
  server = await serveValues(files);
});
afterAll(() => server[Symbol.asyncDispose]());

async function short(): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeTables([groups[0].slice(0, 100)], 'parquet')) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

/** Requests a file of a server that says that it gives ranges, or does not. */
async function request(
  name: string,
  { isOffered = true, denies = false, changes = false, stalls = false } = {},
): Promise<Response> {
  server.requests.length = 0;
  isBodySent = undefined;
  server.mischief = (request, response) => {
    if (isOffered) response.setHeader('accept-ranges', 'bytes');
    const isRange = request.headers.range !== undefined;
    if (!isRange) response.setHeader('content-length', files.get(name)?.length ?? 0);
    if (!isRange) response.on('close', () => (isBodySent = response.writableFinished));
    if (!isRange && stalls) {
      response.writeHead(200).write(parquet.subarray(0, 100_000));
      return true;
    }
    if (isRange && changes && server.requests.length > 3) {
      response.writeHead(206, { etag: '"another"', 'content-range': `bytes 0-0/${parquet.length}` }).end('x');
      return true;
    }
    if (!isRange || !denies) return false;
    response.writeHead(401).end();
    return true;
  };
  return fetch(`${server.url}/${name}`);
}

async function rowsOf(response: Response): Promise<{ days: number; sum: number }> {
  let [rows, sum] = [0, 0];
  for await (const table of readTables(core, response)) {
    expect(table).toBeInstanceOf(Table);
    const days: Int32Array = table.getChild('day')?.toArray();
    const values: Float64Array = table.getChild('value')?.toArray();
    expect(days.findIndex((day, i) => day !== rows + i)).toBe(-1);
    for (const value of values) sum += value;
    rows += days.length;
  }
  return { days: rows, sum };
}

const sum = () => groups.flatMap((group) => [...(group.getChild('value') as never as Iterable<number>)]).reduce(add, 0);
const add = (a: number, b: number) => a + b;

describe('readTables of Parquet in a response', () => {
  it('requests row groups, and ends the body, where the server offers ranges', async () => {
    const read = await rowsOf(await request('a.parquet', { stalls: true }));
    expect(read).toEqual({ days: 4 * ROWS, sum: sum() });
    expect(server.requests[0]).toBe('GET a.parquet');
    expect(server.requests.length).toBeGreaterThan(4);
    for (const range of server.requests.slice(1)) {
      const [, from, to] = /^GET a.parquet bytes=(\d+)-(\d+)$/.exec(range) ?? [];
      // No range has more than a row group.
      expect(Number(to) - Number(from)).toBeLessThan(0.3 * parquet.length);
    }
    await expect.poll(() => isBodySent).toBe(false);
  });

  it.each([
    ['does not offer ranges', { isOffered: false }, 1],
    ['does not give a range that it offered', { denies: true }, 2],
  ])('reads the body where the server %s', async (_, how, requests) => {
    const read = await rowsOf(await request('a.parquet', how));
    expect(read).toMatchObject({ days: 4 * ROWS, sum: sum() });
    expect(server.requests).toHaveLength(requests);
    expect(isBodySent).toBe(true);
  });

  it('reads the body of a short file, and of a file of another format', async () => {
    expect((await rowsOf(await request('short.parquet'))).days).toBe(100);
    expect(server.requests).toEqual(['GET short.parquet']);
    let rows = 0;
    for await (const table of readTables(core, await request('a.csv'))) rows += table.numRows;
    expect(rows).toBe(400_000);
    expect(server.requests).toEqual(['GET a.csv']);
  });

  it('is an error where the file is changed meanwhile', async () => {
    await expect(rowsOf(await request('a.parquet', { changes: true }))).rejects.toThrow(
      'was changed on the server while it was read',
    );
  });

  it('is an error of a body that was taken already', async () => {
    const response = await request('a.parquet');
    await response.arrayBuffer();
    await expect(rowsOf(response)).rejects.toThrow();
  });

  it('ends with the reason of an abort', async () => {
    const response = await request('a.parquet');
    const controller = new AbortController();
    const tables = readTables(core, response, { signal: controller.signal });
    await tables.next();
    controller.abort('enough');
    await expect(tables.next()).rejects.toBe('enough');
  });
});
