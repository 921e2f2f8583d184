import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { BytesElsewhere, onceThere } from '../../../src/files/array/bytes-elsewhere.js';
import { HeldSpans } from '../../../src/files/remote/held-spans.js';
import { RemoteFile } from '../../../src/files/remote/remote-file.node.js';
import { openRemote } from '../../../src/files/remote/remote-object.js';
import { httpRemote } from '../../../src/files/remote/remote-server.js';
import { type ObjectServer, serveObjects } from './object-server.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-remote-'));
const whole = Uint8Array.from({ length: 12_000_000 }, (_, i) => (i * 31 + (i >> 9)) & 255);
let server: ObjectServer;
let files = 0;
const open: RemoteFile[] = [];

async function opened(): Promise<RemoteFile> {
  const found = await openRemote(httpRemote(new URL(`${server.url}/data`)));
  if (found.kind !== 'ranges') throw new Error(found.kind);
  const file = await RemoteFile.open(found.object, { copy: join(folder, String(files++)) });
  open.push(file);
  server.reset();
  return file;
}

async function read(file: RemoteFile, at: number, length: number): Promise<Uint8Array> {
  const into = new Uint8Array(length);
  await file.read(at, into);
  return into;
}

beforeAll(async () => {
  server = await serveObjects(new Map([['data', whole]]));
});
beforeEach(() => {
  server.delay = 0;
});
afterEach(async () => {
  for (const file of open.splice(0)) await file.end();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

it('requests neighbouring spans together, others at the same time, and each once', async () => {
  const file = await opened();
  server.delay = 300;
  const spans = [2_000_000, 2_010_000, 4_000_000, 6_000_000, 8_000_000].map((offset) => ({ offset, length: 5000 }));
  await file.fetch(spans);
  expect(server.requests.sort()).toEqual([
    'data bytes=2000000-2014999',
    'data bytes=4000000-4004999',
    'data bytes=6000000-6004999',
    'data bytes=8000000-8004999',
  ]);
  expect(server.atOnce).toBe(4);
  server.reset();
  for (const { offset, length } of spans)
    expect(await read(file, offset, length)).toEqual(whole.slice(offset, offset + length));
  await Promise.all([file.fetch(spans), file.fetch(spans)]);
  expect(server.requests).toEqual([]);
});

it('requests long spans in parts, at most 16 at a time, and what others request already only once', async () => {
  const file = await opened();
  server.delay = 20;
  await Promise.all([read(file, 0, whole.length), read(file, 0, whole.length)]);
  expect(server.requests).toHaveLength(3);
  const spread = await opened();
  await spread.fetch(Array.from({ length: 60 }, (_, i) => ({ offset: 100_000 + 150_000 * i, length: 10 })));
  expect(server.requests).toHaveLength(60);
  // On a busy machine some are answered before the last of them is sent.
  expect(server.atOnce).toBeGreaterThan(8);
  expect(server.atOnce).toBeLessThanOrEqual(16);
});

it('requests few bytes with what follows, the more, the longer that goes on, and at the end with what is before', async () => {
  const file = await opened();
  for (let at = 5_000_000; at < 5_400_000; at += 100) await read(file, at, 50);
  expect(server.requests).toEqual([
    'data bytes=5000000-5065535',
    'data bytes=5065536-5196607',
    'data bytes=5196608-5458751',
  ]);
  server.reset();
  for (const length of [4, 8, 30_000]) await read(file, whole.length - length, length);
  expect(server.requests).toEqual([`data bytes=${whole.length - 65_536}-${whole.length - 1}`]);
});

it('says what is elsewhere where it cannot be waited for', async () => {
  const file = await opened();
  const into = new Uint8Array(10);
  expect(() => file.readNow(3_000_000, into)).toThrow(BytesElsewhere);
  expect(await onceThere(() => file.readNow(3_000_000, into))).toBe(10);
  expect(into).toEqual(whole.slice(3_000_000, 3_000_010));
  expect(file.readNow(whole.length, into)).toBe(0);
  await expect(read(file, whole.length - 5, 10)).rejects.toMatchObject({ problem: /is truncated/ });
});

it('gives the right bytes or an error, whatever fails', async () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let errors = 0;
  for (let run = 0; run < 20; run++) {
    const file = await opened();
    server.fault = (request, response) => {
      const kind = Math.floor(random() * 24);
      const [, from = '0'] = /bytes=(\d+)/.exec(request.headers.range ?? '') ?? [];
      const range = (size: number) => ({ 'content-range': `bytes ${from}-${Number(from) + 9}/${size}` });
      if (kind === 0) response.writeHead(503).end();
      else if (kind === 1) response.destroy();
      else if (kind === 2) response.writeHead(206, range(whole.length)).end('0123456789');
      else if (kind === 3) {
        response.writeHead(206, { ...range(whole.length), 'content-length': 100_000 });
        response.write('0123456789', () => setTimeout(() => response.destroy(), 5));
      } else if (kind === 4 && run % 4 === 0) response.writeHead(200).end('<html>');
      else if (kind === 5 && run % 4 === 1) response.writeHead(206, range(whole.length - 1)).end('0123456789');
      else if (kind === 6 && run % 4 === 2) response.writeHead(404).end();
      else return false;
      return true;
    };
    const places = Array.from({ length: 12 }, () => Math.floor(random() * (whole.length - 60_000)));
    const length = Math.floor(random() * 60_000);
    try {
      await file.fetch(places.map((offset) => ({ offset, length })));
      for (const at of places) {
        if (!Buffer.from(await read(file, at, length)).equals(whole.subarray(at, at + length)))
          throw new Error(`${at}`);
      }
    } catch (error) {
      expect((error as Error).name).toBe('FileError');
      errors++;
    }
    server.fault = undefined;
  }
  expect(errors).toBeGreaterThan(0);
  expect(errors).toBeLessThan(18);
});

it('knows which spans are here', () => {
  const span = fc.record({ offset: fc.nat(60), length: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), span, (added, wanted) => {
      const held = new HeldSpans();
      const bytes = new Set<number>();
      const each = ({ offset, length }: { offset: number; length: number }) =>
        Array.from({ length }, (_, i) => offset + i);
      for (const one of added) {
        held.add(one);
        for (const at of each(one)) bytes.add(at);
      }
      expect(held.missing(wanted).flatMap(each)).toEqual(each(wanted).filter((at) => !bytes.has(at)));
    }),
  );
});
