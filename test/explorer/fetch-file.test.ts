import { afterEach, expect, it, vi } from 'vitest';
import { fetchGiven } from '../../src/explorer/data/fetch-file.js';
import type { GivenFile } from '../../src/explorer/data/file-origin.js';

const URL_OF_FILE = 'https://example.org/f';
const MAX_BYTES = 200_000;

afterEach(() => vi.unstubAllGlobals());

/** An answer of some pieces, which counts those that are read; `failsAt` breaks it off. */
function answer(pieces: readonly Uint8Array<ArrayBuffer>[], length?: number, failsAt = Number.POSITIVE_INFINITY) {
  const answered = { pieces: 0, isCancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      if (answered.pieces === failsAt) return controller.error(new TypeError('network error'));
      if (answered.pieces === pieces.length) return controller.close();
      controller.enqueue(pieces[answered.pieces++]);
    },
    cancel() {
      answered.isCancelled = true;
    },
  });
  const headers = length === undefined ? undefined : { 'content-length': String(length) };
  vi.stubGlobal('fetch', async () => new Response(body, { headers }));
  return answered;
}

const fetchFile = () => fetchGiven({ url: URL_OF_FILE, path: 'f' }, new AbortController().signal, MAX_BYTES);

function beginning(text: string, count: number): Uint8Array<ArrayBuffer>[] {
  const pieces = Array.from({ length: count }, () => new Uint8Array(50_000).fill(0x30));
  pieces[0].set(new TextEncoder().encode(text));
  return pieces;
}

it('stops reading a table whose stated length is too long, at its beginning', async () => {
  const answered = answer(beginning('date,member,value\n', 1000), 3 * 2 ** 30);
  await expect(fetchFile()).rejects.toThrow(
    'f: is too long for the page of the explorer; received "3.00 GiB"; allowed: tables and NetCDF4 up to 1 GiB',
  );
  expect(answered).toEqual({ pieces: expect.any(Number), isCancelled: true });
  expect(answered.pieces).toBeLessThan(6);
});

it('stops reading a table that becomes longer than it may be, as unpacked or without a length', async () => {
  const answered = answer(beginning('date,member,value\n', 1000), 100);
  await expect(fetchFile()).rejects.toThrow('received "more than 1 GiB"');
  expect(answered.pieces).toBeLessThan(8);
});

it.each([
  ['a table of the most bytes', 'date,member,value\n', 4],
  ['a longer file that is read range by range', 'CDF\u0001', 9],
])('reads %s, as it is', async (_, text, count) => {
  const pieces = beginning(text, count);
  answer(pieces);
  const { content } = (await fetchFile()) as GivenFile;
  expect(new Uint8Array(await content.arrayBuffer())).toEqual(new Uint8Array(Buffer.concat(pieces)));
});

it('says that an answer was cut off, and of which address', async () => {
  answer(beginning('date,member,value\n', 4), undefined, 2);
  await expect(fetchFile()).rejects.toThrow(`${URL_OF_FILE}: was cut off while it was read`);
});
