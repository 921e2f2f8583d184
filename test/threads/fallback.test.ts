import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import { createPool } from '../../src/threads/create-pool.js';
import type { Pool } from '../../src/threads/pool.js';
import { request } from '../property/examples.js';
import { seededField } from '../reference/fields.js';
import { bits, placed, windowsOf } from './pools.js';

const root = new URL('../../', import.meta.url);
const bytes = readFile(new URL('dist/plumecast.wasm', root));
const field = seededField({ cells: 2001 });
const windows = windowsOf(field, 'weekly');

afterEach(() => {
  vi.unstubAllGlobals();
});

async function computes(pool: Pool, threads: number): Promise<void> {
  expect(pool.threads).toBe(threads);
  const expected = bits(computeStatistics(await loadCore(), field, windows, request));
  const inPool = placed(pool.core, field, 'in the memory of the pool');
  const found = await pool.computeStatistics(inPool, windows, request);
  expect(bits(found)).toEqual(expected);
  expect(found.mean.buffer.constructor.name).toBe(threads > 0 ? 'SharedArrayBuffer' : 'ArrayBuffer');
  await pool.close();
  await expect(pool.computeStatistics(field, windows, request)).rejects.toMatchObject({ problem: 'closed' });
}

/** Runs a test while shared memory cannot be created that may grow to more than `pages` pages. */
async function withSharedMemory(pages: number, run: () => Promise<void>): Promise<void> {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      if (descriptor.shared && (descriptor.maximum ?? 0) > pages) throw new RangeError('out of memory');
      super(descriptor);
    }
  };
  try {
    await run();
  } finally {
    WebAssembly.Memory = Memory;
  }
}

describe('a pool computes on the calling thread', () => {
  it('where no workers are requested', async () => computes(await createPool({ threads: 0 }), 0));

  it('where there is no SharedArrayBuffer', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined);
    await computes(await createPool({ threads: 2 }), 0);
  });

  it('where the page is not cross-origin isolated', async () => {
    vi.stubGlobal('crossOriginIsolated', false);
    await computes(await createPool({ threads: 2 }), 0);
  });

  it('where the runtime cannot create shared memory', async () => {
    await withSharedMemory(0, async () => computes(await createPool({ threads: 2 }), 0));
  });

  it('where the module is already compiled', async () => {
    const source = await WebAssembly.compile(await bytes);
    await computes(await createPool({ threads: 2, source }), 0);
  });

  it('where the process may not start workers', async () => {
    const code = `
      import { createPool } from 'plumecast/threads';
      const pool = await createPool({ threads: 2 });
      console.log(pool.threads, pool.core.memory.wasm.buffer.constructor.name);`;
    const flags = [permissionFlag(), '--allow-fs-read=*', '--input-type=module', '--eval', code];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: root });
    expect(stdout).toBe('0 ArrayBuffer\n');
  });
});

function permissionFlag(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
}

describe('workers take part', () => {
  it('where the source is bytes, their buffer or a response', async () => {
    const copy = new Uint8Array(await bytes);
    for (const source of [copy, copy.buffer, new Response(copy), Promise.resolve(new Response(copy))]) {
      await computes(await createPool({ threads: 1, source }), 1);
    }
  });

  it('where less than 4 GiB can be reserved', async () => {
    await withSharedMemory(16_384, async () => computes(await createPool({ threads: 2 }), 2));
  });
});

describe('createPool rejects', () => {
  it.each([-1, 1.5, Number.NaN, 257, '2'])('%s threads', async (threads) => {
    await expect(createPool({ threads: threads as number })).rejects.toMatchObject({
      tag: 'option',
      subject: 'threads',
    });
  });

  it('an unknown option', async () => {
    await expect(createPool({ workers: 2 } as object)).rejects.toMatchObject({ tag: 'option', received: 'workers' });
  });

  it('a source that is not a module', async () => {
    await expect(createPool({ threads: 2, source: new Uint8Array(8) })).rejects.toMatchObject({ tag: 'core' });
    const gone = createPool({ threads: 2, source: new Response('gone', { status: 404 }) });
    await expect(gone).rejects.toMatchObject({ tag: 'core', received: 'status 404' });
  });
});
