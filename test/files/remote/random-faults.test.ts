import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { isPlumecastError } from '../../../src/errors.js';
import { selectArrays } from '../../../src/files/cf/select-arrays.js';
import { archiveAddress } from '../../../src/input/archive-address.js';
import { openInput } from '../../../src/input/input.js';
import { openGrid } from '../../../src/input/open-grid.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { tagOf } from './object-server.js';

/** Runs in all: check:full has 2000. */
const RUNS = Number(process.env.PLUMECAST_FAULT_RUNS ?? 16);
const LANES = 8;
const HOUR = 3_600_000;

/** What a server may do instead of answering as it should. */
const FAULTS = {
  throttled: (_, response) => response.writeHead(429, { 'retry-after': '0' }).end(),
  failing: (_, response) => response.writeHead(503).end(),
  denied: (_, response) => response.writeHead(403).end(),
  gone: (_, response) => response.writeHead(404).end(),
  closed: (_, response) => response.destroy(),
  cut: ({ bytes, head, status }, response) => {
    response.writeHead(status, head);
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  },
  short: ({ bytes, head, status }, response) =>
    response
      .writeHead(status, { ...head, 'content-length': bytes.length >> 1 })
      .end(bytes.subarray(0, bytes.length >> 1)),
  long: ({ bytes, head, status }, response) =>
    response
      .writeHead(status, { ...head, 'content-length': bytes.length + 3 })
      .end(Buffer.concat([bytes, Buffer.of(1, 2, 3)])),
  page: (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>log in</title>'),
  whole: ({ all, head }, response) =>
    response.writeHead(200, { etag: String(head.etag), 'content-length': all.length }).end(all),
  elsewhere: ({ bytes, head, status, all }, response) =>
    response.writeHead(status, { ...head, 'content-range': `bytes 7-${bytes.length + 6}/${all.length}` }).end(bytes),
  slow: ({ bytes, head, status }, response) => {
    response.writeHead(status, head);
    response.write(bytes.subarray(0, 10));
    setTimeout(() => response.end(bytes.subarray(10)), 30);
  },
  moved: (_, response) => response.writeHead(302, { location: '/none' }).end(),
  circle: ({ url }, response) => response.writeHead(302, { location: url }).end(),
} satisfies Record<string, (answer: Answer, response: ServerResponse) => void>;

type FaultName = keyof typeof FAULTS;

/** What the server would answer. */
interface Answer {
  readonly url: string;
  readonly status: number;
  readonly head: Record<string, string | number>;
  readonly bytes: Uint8Array;
  readonly all: Uint8Array;
}

/** Numbers from 0 to 1 that follow from a seed. */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 97) % 2_147_483_647;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe.skipIf(!hasPython('xarray', 'netCDF4', 'pyarrow', 'eccodes'))('servers that fail at random', () => {
  const objects = new Map<string, Uint8Array>();
  /** By the first part of their paths. */
  const faults = new Map<string, (key: string) => FaultName | 'changed' | undefined>();
  const run = new Date(Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR - 24 * HOUR).toISOString().slice(0, 13);
  let folder: string;
  let cache: string;
  let url: string;
  let server: ReturnType<typeof createServer>;
  const timers = globalThis.setTimeout;

  function serve({ url: given = '', headers }: IncomingMessage, response: ServerResponse): void {
    const [, prefix, ...parts] = decodeURIComponent(new URL(given, 'http://server').pathname).split('/');
    const key = parts.join('/');
    const fault = faults.get(prefix)?.(key);
    const found = objects.get(key);
    const all =
      fault === 'changed' && found !== undefined ? Buffer.from(found).fill(7, Math.max(0, found.length - 3000)) : found;
    if (all === undefined) return void response.writeHead(404).end();
    const etag = tagOf(all);
    const modified = new Date(Date.now() - 20 * HOUR).toUTCString();
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag) return void response.writeHead(412).end();
    if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = to ? Math.min(all.length, Number(to) + 1) : all.length;
    const bytes = all.subarray(start, end);
    const head = {
      ...{ etag, 'last-modified': modified, 'content-length': bytes.length },
      ...(from !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${all.length}` }),
    };
    const answer = { url: given, status: from === undefined ? 200 : 206, head, bytes, all };
    if (fault !== undefined && fault !== 'changed') FAULTS[fault](answer, response);
    else response.writeHead(answer.status, head).end(bytes);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumecast-faults-'));
    cache = mkdtempSync(join(tmpdir(), 'plumecast-cache-'));
    pythonFile(resolve(import.meta.dirname, 'write_files.py'), [folder]);
    const args = [join(folder, 'mirror'), 'ecmwf:aifs-ens', run.replace(/\D/g, ''), '48'];
    pythonFile(resolve(import.meta.dirname, '../archives/write_mirror.py'), args);
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      const path = join(folder, name);
      if (statSync(path).isFile()) objects.set(relative(folder, path), readFileSync(path));
    }
    server = createServer(serve);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env.PLUMECAST_CACHE = cache;
    // Pauses between attempts are a hundredth of what they are; time limits stay.
    const isPause = (ms: number | undefined): ms is number => ms !== undefined && ms >= 100 && ms < 20_000;
    globalThis.setTimeout = ((work: () => void, ms?: number, ...given: []) =>
      timers(work, isPause(ms) ? ms / 100 : ms, ...given)) as typeof setTimeout;
  });
  afterAll(async () => {
    globalThis.setTimeout = timers;
    delete process.env.PLUMECAST_CACHE;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    for (const each of [folder, cache]) rmSync(each, { recursive: true });
  });

  const POINTS = { 'chunked.nc': [52.5, 13.5], 'planes.nc': [52.5, 13.5], 'fields.grib2': [52.5, 13.5] } as const;
  const INPUTS = [...Object.keys(POINTS), 'archive'] as (keyof typeof POINTS | 'archive')[];
  const addressOf = (input: (typeof INPUTS)[number], prefix: string) =>
    input === 'archive'
      ? archiveAddress('ecmwf:aifs-ens', { run, leadHours: 48, mirror: `${url}/${prefix}/mirror` })
      : `${url}/${prefix}/${input}`;

  /** All values of all members at a point, as a text. */
  async function valuesOf(
    core: Core,
    address: string,
    [latitude, longitude]: readonly [number, number],
  ): Promise<string> {
    const selection = async () => selectArrays([{ variable: 'temp_mean' }]);
    const input = await openInput(address, {}, () => {}, { selection });
    try {
      if (input.kind !== 'arrays') throw new Error(input.kind);
      const variable = findVariable('temp_mean');
      const ensemble = await openGrid(input, { variable, point: { latitude, longitude }, values: {} });
      const found: string[] = [];
      for (const block of ensemble.blocks(1e8, [])) {
        const mark = core.memory.mark();
        const { field } = await ensemble.read(block, core);
        for (const { chunks } of field.members) for (const { values } of chunks) found.push(values.join());
        core.memory.release(mark);
      }
      return found.join(';');
    } finally {
      await input.close();
    }
  }

  it(`give the right values or an error of plumecast, ${RUNS} times`, { timeout: 4 * HOUR }, async () => {
    const cores = await Promise.all(Array.from({ length: LANES }, () => loadCore()));
    const right = new Map<string, string>();
    for (const input of INPUTS) {
      const point = input === 'archive' ? ([55, 10] as const) : POINTS[input];
      right.set(input, await valuesOf(cores[0], addressOf(input, 'right'), point));
      expect(right.get(input)).toMatch(/\d/);
    }
    const outcomes = { right: 0, changed: 0, error: 0 };
    const problems = new Map<string, number>();
    let next = 0;
    const lane = async (core: Core) => {
      for (let seed = next++; seed < RUNS; seed = next++) {
        const random = randomOf(seed);
        const input = INPUTS[seed % INPUTS.length];
        const point = input === 'archive' ? ([55, 10] as const) : POINTS[input];
        // What is in the cache of one run is there for the others of the same prefix, which come to the same server.
        const isChanging = seed % 5 === 4;
        const prefix = isChanging ? `changing${seed}` : `lane${cores.indexOf(core)}`;
        const names = Object.keys(FAULTS).filter(() => random() < 0.3) as FaultName[];
        const share = [0.02, 0.1, 0.3][Math.floor(random() * 3)];
        const changesAt = Math.floor(random() * 8);
        let requests = 0;
        faults.set(prefix, () => {
          if (isChanging && requests++ >= changesAt) return 'changed';
          return names.length > 0 && random() < share ? names[Math.floor(random() * names.length)] : undefined;
        });
        try {
          const found = await valuesOf(core, addressOf(input, prefix), point);
          if (found === right.get(input)) outcomes.right++;
          else {
            // It may be all of what it was changed to.
            faults.set(prefix, () => 'changed');
            const changed = isChanging ? await valuesOf(core, addressOf(input, prefix), point).catch(String) : 'none';
            expect([seed, input, names, found === changed]).toEqual([seed, input, names, true]);
            outcomes.changed++;
          }
        } catch (error) {
          if (!isPlumecastError(error)) throw new Error(`seed ${seed}, ${input}, ${names}`, { cause: error });
          outcomes.error++;
          const problem = error.message
            .replace(/https?:\S+/g, 'ADDRESS')
            .replace(/\d+/g, '0')
            .slice(0, 80);
          problems.set(problem, (problems.get(problem) ?? 0) + 1);
        }
      }
    };
    await Promise.all(cores.map(lane));
    console.log(`${RUNS} runs: ${JSON.stringify(outcomes)}`);
    expect(outcomes.right).toBeGreaterThan(RUNS / 8);
    expect(outcomes.error).toBeGreaterThan(RUNS / 32);
    // Whatever happened, what is in the cache is right.
    faults.clear();
    for (const [l] of cores.entries())
      for (const input of INPUTS) {
        const point = input === 'archive' ? ([55, 10] as const) : POINTS[input];
        expect((await valuesOf(cores[0], addressOf(input, `lane${l}`), point)) === right.get(input)).toBe(true);
      }
  });
});
