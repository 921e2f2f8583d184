import { type Table, tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { isPlumecastError } from '../../src/errors.js';
import { type ArrowInCore, readArrowInto } from '../../src/files/arrow/read-arrow-into.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { statistics } from '../../src/statistics/statistics.js';
import { isFullCheck } from '../full-check.js';

/** The full check makes 100,000, which take some twenty seconds. */
const CALLS = isFullCheck ? 100_000 : 1000;

/** The bytes of a table of its own values: `seed` tells it from others, `days` gives its size. */
function bytesOf(seed: number, days: number, format: 'file' | 'stream' = 'stream'): Uint8Array {
  const date = Array.from({ length: days }, (_, day) => new Date(86_400_000 * (day - 60_000)));
  const member = (m: number) => Float64Array.from(date, (_, day) => ((day * (m + 3) + 17 * seed) % 101) / 4 + seed);
  const table = tableFromArrays({ date, m0: member(0), m1: member(1), m2: member(2) });
  return tableToIPC(table, format);
}

const OPTIONS = { variable: 'temp_mean' };

const means = (table: Table): number[] => Array.from(table.getChild('mean') as Iterable<number>);

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('tables in the memory of a core', () => {
  it('keep their values when others are released and read before and after them', async () => {
    const inputs = [1, 2, 3, 4].map((seed) => bytesOf(seed, 400));
    const [r1, r2] = [await readArrowInto(core, inputs[0]), await readArrowInto(core, inputs[1])];
    r1.release();
    const [r3, r4] = [await readArrowInto(core, inputs[2]), await readArrowInto(core, inputs[3])];
    for (const [handle, bytes] of [
      [r2, inputs[1]],
      [r3, inputs[2]],
      [r4, inputs[3]],
    ] as const) {
      expect(means(statistics(core, handle.table, OPTIONS))).toEqual(
        means(statistics(core, tableFromIPC(bytes), OPTIONS)),
      );
    }
    for (const handle of [r3, r2, r4]) handle.release();
  });

  it('are an error once they are released, also where the table was kept and its memory is used again', async () => {
    const handle = await readArrowInto(core, bytesOf(1, 400), { source: 'a.arrow' });
    const kept = handle.table;
    handle.release();
    handle.release();
    expect(() => handle.table).toThrow(
      'a.arrow, table: its memory was released; allowed: a table that is used before `release`',
    );
    expect(() => statistics(core, kept, OPTIONS)).toThrow(/released/);
    for (let seed = 2; seed < 40; seed++) {
      const other = await readArrowInto(core, bytesOf(seed, 400));
      let error: unknown;
      try {
        statistics(core, kept, OPTIONS);
      } catch (caught) {
        error = caught;
      }
      if (!isPlumecastError(error)) throw error;
      other.release();
    }
  });

  it('are released by Symbol.dispose', async () => {
    const handle = await readArrowInto(core, bytesOf(1, 20));
    (handle as unknown as Record<symbol, () => void>)[Symbol.dispose]();
    expect(() => handle.table).toThrow('released');
  });

  it('are those of a server with a cache: any reads, uses and releases give what plain reads give', async () => {
    const server = await loadCore();
    const answers = new Map<string, number[]>();
    const plain = (seed: number, days: number) => {
      const key = `${seed} ${days}`;
      const known = answers.get(key) ?? means(statistics(server, tableFromIPC(bytesOf(seed, days)), OPTIONS));
      answers.set(key, known);
      return known;
    };
    const request = fc.record({
      seed: fc.integer({ min: 0, max: 7 }),
      days: fc.constantFrom(3, 40, 400, 2000),
      evicted: fc.integer({ min: 0, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 40 }), async (requests) => {
        const cache = new Map<string, ArrowInCore>();
        for (const { seed, days, evicted } of requests) {
          const key = `${seed} ${days}`;
          let handle = cache.get(key);
          if (handle === undefined) {
            handle = await readArrowInto(server, bytesOf(seed, days, seed % 2 ? 'file' : 'stream'));
            cache.set(key, handle);
          }
          expect(means(statistics(server, handle.table, OPTIONS))).toEqual(plain(seed, days));
          if (cache.size > 4) {
            const [old, released] = [...cache][evicted % cache.size];
            released.release();
            cache.delete(old);
          }
        }
        for (const handle of cache.values()) handle.release();
      }),
      { numRuns: isFullCheck ? 40 : 12, seed: 7 },
    );
  }, 120_000);

  it(`leave the memory as it is after ${CALLS} reads, uses and releases in any order`, async () => {
    const server = await loadCore();
    const inputs = [3, 10, 30].map((days, seed) => bytesOf(seed, days));
    const handles: ArrowInCore[] = [];
    let [random, bytes] = [1, 0];
    for (let call = 0; call < CALLS; call++) {
      random = (random * 48_271) % 2_147_483_647;
      if (handles.length < 8) handles.push(await readArrowInto(server, inputs[random % 3]));
      else if (random % 4 === 0) statistics(server, handles[random % 8].table, OPTIONS);
      else handles.splice(random % 8, 1)[0].release();
      if (call === CALLS / 5) bytes = server.memory.wasm.buffer.byteLength;
    }
    expect(server.memory.wasm.buffer.byteLength).toBe(bytes);
  }, 240_000);
});

describe('streams on one core at the same time', () => {
  async function* slowly(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) {
      await new Promise((done) => setImmediate(done));
      yield bytes.subarray(at, at + size);
    }
  }

  const all = async (tables: AsyncIterable<Table>) => {
    const found: number[] = [];
    for await (const table of tables) found.push(...means(table));
    return found;
  };

  it('give what each gives alone, while others are aborted, and tables are read and released', async () => {
    const inputs = [300, 20_000, 5_000, isFullCheck ? 90_000 : 40_000].map((days, seed) => bytesOf(seed, days));
    const alone = inputs.map((bytes) => means(statistics(core, tableFromIPC(bytes), OPTIONS)));
    const aborted = async (bytes: Uint8Array, pieces: number) => {
      async function* cut() {
        let left = pieces;
        for await (const piece of slowly(bytes, 10_000)) {
          if (left-- === 0) throw new Error('aborted');
          yield piece;
        }
      }
      return all(streamStatistics(core, cut(), OPTIONS)).catch((error) => error.message);
    };
    const handles = async () => {
      for (const [seed, bytes] of inputs.entries()) {
        const handle = await readArrowInto(core, slowly(bytes, 50_000));
        expect(means(statistics(core, handle.table, OPTIONS))).toEqual(alone[seed]);
        handle.release();
      }
      return 'read';
    };
    const results = await Promise.all([
      ...inputs.map((bytes, i) => all(streamStatistics(core, slowly(bytes, 7_000 + 9_000 * i), OPTIONS))),
      aborted(inputs[3], 5),
      aborted(inputs[1], 1),
      handles(),
      handles(),
    ]);
    expect(results.slice(0, 4)).toEqual(alone);
    expect(results.slice(4)).toEqual(['aborted', 'aborted', 'read', 'read']);
  }, 60_000);
});
