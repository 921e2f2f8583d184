import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import * as generated from '../../src/core/generated/jobs.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { CoreMemory, type KernelJob } from '../../src/core/memory.js';

const kernelSide = await readFile(new URL('../../assembly/core/generated/jobs.ts', import.meta.url), 'utf8');
/** The fields of each job, as the kernels read them. */
const jobs = [...kernelSide.matchAll(/class (\w+) \{\n(.*?)\}/gs)].map(([, name, fields]) => {
  return { name, fields: Array.from(fields.matchAll(/(\w+): (?:usize|i32);/g), ([, field]) => field) };
});
const classes = new Map<string, unknown>(Object.entries(generated));
/** Takes the fields that stay by name, or one after the other. */
type JobClass = new (memory: CoreMemory, ...fields: (number | Record<string, number>)[]) => KernelJob;

let core: Core;
beforeEach(async () => {
  core = await loadCore();
});

describe('a job', () => {
  it.each(jobs)('of the class $name is written where its kernels read it', ({ name, fields }) => {
    const values = fields.map((_, place) => 3_000_000_000 + place);
    const JobOfName = classes.get(name) as JobClass;
    const methods = Object.getOwnPropertyNames(JobOfName.prototype).filter((each) => each !== 'constructor');
    const setters = methods.map((method) => JobOfName.prototype[method] as (...fields: number[]) => void);
    // The fields that change come last, in the order of the methods and of their parameters.
    let place = fields.length - setters.reduce((sum, { length }) => sum + length, 0);
    const byName = Object.fromEntries(fields.map((field, at) => [field, values[at]]));
    const job = new JobOfName(core.memory, ...(JobOfName.length === 1 ? values.slice(0, place) : [byName]));
    for (const set of setters) set.apply(job, values.slice(place, (place += set.length)));
    const words = new Uint32Array(core.memory.wasm.buffer, job.address, fields.length);
    expect([...words]).toEqual(values);
  });

  it('is written in the same place when the memory has grown, and what is not set stays', () => {
    const { memory } = core;
    const job = new generated.GatherJob(memory, {
      ...{ members: 1, cellStride: 2, shift: -3, end: 4, member: 5, from: 6, to: 7, places: 8 },
      ...{ trajectories: 9, days: 10, out: 11, outBytes: 12 },
    });
    job.set(13, 14);
    memory.allocate(memory.wasm.buffer.byteLength);
    job.set(15, 16);
    expect([...memory.int32(job.address, 14)]).toEqual([1, 2, -3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16]);
  });
});

describe('a view of the whole memory', () => {
  it('is the same until the memory grows, then has all of it', () => {
    const { memory } = core;
    const before = memory.whole('float64');
    expect(memory.whole('float64')).toBe(before);
    memory.allocate(memory.wasm.buffer.byteLength);
    expect(memory.whole('float64').buffer).toBe(memory.wasm.buffer);
    memory.wasm.grow(1);
    expect(memory.whole('float64').length).toBe(memory.wasm.buffer.byteLength / 8);
  });

  it('of a shared memory has what another thread has added', () => {
    const memory = new CoreMemory(new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true }));
    expect(memory.whole('int32').length).toBe(65_536 / 4);
    memory.wasm.grow(1);
    expect(memory.whole('int32').length).toBe((2 * 65_536) / 4);
  });
});
