import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { remoteAddress } from '../../../src/files/remote/remote-address.js';
import { plumecastHere } from '../../cli/run-here.js';
import { type ObjectServer, serveObjects } from './object-server.js';

/** Days of two members at four places, as CSV. */
const days = Array.from({ length: 14 }, (_, i) => new Date(Date.parse('2026-03-02') + i * 86_400_000));
const rows = [50, 51].flatMap((latitude) =>
  [7, 8].flatMap((longitude) =>
    days.map((day, i) => [latitude, longitude, day.toISOString().slice(0, 10), i / 2, i / 4, 'degC'].join()),
  ),
);
const CSV = ['latitude,longitude,date,member00,member01,units', ...rows].join('\n');

/** The hosts of the providers, and where their objects are on the server here. */
const HOSTS = { 'storage.googleapis.com': 'google', 'account.blob.core.windows.net': 'azure' } as const;

describe('addresses of public buckets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-public-'));
  const path = (name: string) => join(folder, name);
  const objects = new Map<string, Uint8Array>();
  let server: ObjectServer;
  let sent: Request[] = [];
  const stats = (input: string) =>
    plumecastHere('stats', input, '--variable', 'temp_mean', '--granularity', 'weekly', '--format', 'csv', '-q');

  beforeAll(async () => {
    server = await serveObjects(objects);
    writeFileSync(path('a b.csv'), CSV);
    const to = ['--variable', 'temp_mean', '--quiet'];
    for (const name of ['grid.zarr', 'grid.nc'])
      expect(await plumecastHere('convert', path('a b.csv'), path(name), ...to)).toMatchObject({ code: 0, err: '' });
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile()) continue;
      for (const host of Object.values(HOSTS))
        objects.set(`${host}/bucket/${relative(folder, file)}`, readFileSync(file));
    }
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    sent = [];
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (input: Request | URL | string, init?: RequestInit) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const host = HOSTS[url.host as keyof typeof HOSTS];
      if (host === undefined) throw new Error(`a request to ${url.host}`);
      sent.push(request);
      return fetch(new Request(`${server.url}/${host}${url.pathname}`, request));
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['gs://bucket', 'https://storage.googleapis.com/bucket'],
    ['az://account/bucket', 'https://account.blob.core.windows.net/bucket'],
  ])('%s are %s, with the results of the same files on the disk, and nothing secret sent', async (root, origin) => {
    expect(remoteAddress(`${root}/a b/c#1?.nc`).url.href).toBe(`${origin}/a%20b/c%231%3F.nc`);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    for (const name of ['a b.csv', 'grid.nc', 'grid.zarr']) {
      const [local, remote] = [await stats(path(name)), await stats(`${root}/${name}`)];
      expect([name, remote.code, remote.err]).toEqual([name, 0, '']);
      expect(remote.out).toBe(local.out);
    }
    vi.unstubAllEnvs();
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.every(({ url }) => url.startsWith(`${origin}/`))).toBe(true);
    expect(sent.filter(({ headers }) => headers.has('authorization'))).toEqual([]);
    const missing = await stats(`${root}/none.nc`);
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringMatching(/none\.nc: the server does not give it; .*404/),
    ]);
  });
});
