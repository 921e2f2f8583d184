import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createListener } from '../../../src/service/handler/listener/create-listener.node.js';
import { createRateLimit } from '../../../src/service/handler/rate-limit.js';
import { hasProgram } from '../../reference/foreign-programs.js';
import { dataset, FINE_KEY, fakeService, forecastRun, KEY, snapshot } from './fake-service.js';

const POINT = 'lat=37.25&lon=-79.75';
const PUBLIC = 'public, max-age=21600, stale-while-revalidate=60';
const PRIVATE = 'private, max-age=21600';

const plain = { snapshot: () => snapshot() };
const fine = { snapshot: () => snapshot({ forecast: forecastRun({ fineTimeline: dataset('fine-1') }) }) };

describe('answers behind a cache that checks keys itself', () => {
  it('are public where they are the same for all keys, and say nothing of the key', async () => {
    const rateLimit = createRateLimit({ requests: 100, windowSeconds: 60 });
    for (const key of [KEY, FINE_KEY]) {
      const { ask } = fakeService({ publicCache: true, source: plain, rateLimit, responseCacheBytes: 1e6 });
      for (let time = 0; time < 3; time++) {
        const { headers } = await ask(`/v2/forecast?${POINT}`, { 'x-api-key': key });
        expect(headers.get('cache-control')).toBe(PUBLIC);
        expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Origin');
        expect(headers.get('ratelimit')).toBeNull();
      }
      const error = await ask('/v2/forecast?lat=91&lon=0', { 'x-api-key': key });
      expect(error.headers.get('cache-control')).toBe('no-store');
      expect(error.headers.get('ratelimit')).not.toBeNull();
    }
  });

  it('stay private where they depend on the key: 1 km data that may be chosen, and stored locations', async () => {
    const { ask } = fakeService({ publicCache: true, source: fine });
    const freshness = async (path: string, key = KEY) =>
      (await ask(path, { 'x-api-key': key })).headers.get('cache-control');
    for (const key of [KEY, FINE_KEY]) {
      expect(await freshness(`/v2/forecast?${POINT}`, key)).toBe(PRIVATE);
      expect(await freshness(`/v2/forecast?${POINT}&use_downscaling=true`, key)).toBe(PRIVATE);
      expect(await freshness(`/v2/forecast?${POINT}&use_downscaling=false`, key)).toBe(PUBLIC);
      expect(await freshness(`/v2/history?${POINT}`, key)).toMatch(/^public/);
    }
    expect(await freshness('/v1/history/location/everybodys')).toMatch(/^private/);
  });

  it('are private by default', async () => {
    const { headers } = await fakeService({ source: plain }).ask(`/v2/forecast?${POINT}`);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      PRIVATE,
      'Accept, Accept-Encoding, X-Api-Key, Origin',
    ]);
  });
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe.skipIf(!hasProgram('nginx', '-v'))('nginx as in integrations/service/nginx-cache.conf', () => {
  /** Starts a service and nginx before it; returns what asks nginx, and the requests that came to the service. */
  async function start(publicCache: boolean) {
    const work = mkdtempSync(join(tmpdir(), 'plumecast-nginx-'));
    // Its workers are of another user where it is started by root.
    chmodSync(work, 0o755);
    const { handler } = fakeService({ publicCache, source: fine });
    const listener = createListener(handler);
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url as string);
      listener(request, response);
    });
    const port = await listening(server);
    const free = createServer();
    const edge = await listening(free);
    await new Promise((resolve) => free.close(resolve));
    const config = readFileSync('integrations/service/nginx-cache.conf', 'utf8')
      .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8081', `127.0.0.1:${edge}`)
      .replace('key-of-nginx', KEY)
      .replace('worker_processes auto', 'worker_processes 1; daemon off')
      .replaceAll('/tmp/nginx-plumecast-cache', `${work}/cache`);
    const path = join(work, 'nginx.conf');
    writeFileSync(path, config);
    const nginx = spawn('nginx', ['-p', work, '-c', path], { stdio: 'ignore' });
    const ended = new Promise((resolve) => nginx.once('close', resolve));
    onTestFinished(async () => {
      nginx.kill('SIGTERM');
      await ended;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(work, { recursive: true, force: true });
    });
    const ask = (path: string, key = 'key-of-a-customer') =>
      fetch(`http://127.0.0.1:${edge}${path}`, { headers: { 'x-api-key': key } });
    for (let tries = 0; tries < 100; tries++) {
      if (await ask('/health').catch(() => undefined)) break;
      await wait(50);
    }
    seen.length = 0;
    return { ask, seen };
  }

  const COARSE = `/v2/forecast?${POINT}&use_downscaling=false`;

  it('keeps public answers, gives them to whom it lets in alone, and no private ones', async () => {
    const { ask, seen } = await start(true);
    const first = await ask(COARSE);
    const second = await ask(COARSE);
    expect([first.status, first.headers.get('x-cache-status')]).toEqual([200, 'MISS']);
    expect([second.status, second.headers.get('x-cache-status')]).toEqual([200, 'HIT']);
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect((await ask(COARSE, 'of somebody else')).status).toBe(401);
    expect(seen).toEqual([COARSE]);
    for (let time = 0; time < 2; time++) {
      expect((await ask(`/v2/forecast?${POINT}`)).headers.get('x-cache-status')).toBe('MISS');
    }
    expect(seen).toHaveLength(3);
  });

  it('keeps nothing by default', async () => {
    const { ask, seen } = await start(false);
    for (let time = 0; time < 2; time++) expect((await ask(COARSE)).headers.get('x-cache-status')).toBe('MISS');
    expect(seen).toHaveLength(2);
  });
});
