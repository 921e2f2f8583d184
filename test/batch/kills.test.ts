import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith } from '../cli/run-command.js';
import { checksums, type Ended, startBatch } from './batch-process.js';
import { writeInputs } from './many-inputs.js';

const INPUTS = 24;
const ARGS = ['runs', '--variable', 'precipitation', '--granularity', 'daily,weekly', '--workers', '2'];
const OUTPUTS = 2 * INPUTS;
const { folder, remove } = folderWith({});
afterAll(remove);

/** Of the batch that nothing disturbs. */
let whole: Record<string, string>;

beforeAll(async () => {
  await writeInputs(folder, INPUTS);
  expect(await startBatch([...ARGS, '--out', 'whole'], folder).ended).toMatchObject({ code: 0, err: '' });
  whole = checksums(join(folder, 'whole'));
  expect(Object.keys(whole)).toHaveLength(OUTPUTS + 1);
});

/** Where a batch is killed: after so many outputs, and then so many milliseconds. */
interface Moment {
  readonly outputs: number;
  readonly milliseconds: number;
}

/** Moments that a seed gives, spread over the work, the time before the first output and the manifest included. */
function moments(seed: number, count: number): Moment[] {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () => ({ outputs: next(OUTPUTS + 1), milliseconds: next(12) }));
}

/** Runs a batch to a folder until it is killed. */
async function killed(out: string, { outputs, milliseconds }: Moment, signal: NodeJS.Signals, ...args: string[]) {
  let finished = 0;
  const batch = startBatch([...ARGS, '--out', out, ...args], folder, ({ event }) => {
    if (event === 'finished') finished++;
    if (finished === outputs && (event === 'finished' || event === 'planned'))
      setTimeout(() => batch.kill(signal), milliseconds);
  });
  return batch.ended;
}

function expectNothingHalfWritten(out: string): void {
  const there = checksums(join(folder, out));
  for (const [name, checksum] of Object.entries(there)) expect.soft([name, checksum]).toEqual([name, whole[name]]);
}

async function expectToGoOn(out: string): Promise<Ended> {
  const resumed = await startBatch([...ARGS, '--out', out, '--resume'], folder).ended;
  expect(resumed).toMatchObject({ code: 0, err: '' });
  expect(checksums(join(folder, out))).toEqual(whole);
  expect(existsSync(join(folder, out, '.plumecast-batch'))).toBe(false);
  return resumed;
}

/** Five, or where property tests run more often, twice as many as that, from another seed each time. */
const more = Number(process.env.PLUMECAST_FUZZ_RUNS ?? 1);
const seed = more > 1 ? Date.now() >>> 0 : 20_221_002;

describe('a batch that is killed', () => {
  it.each(moments(seed, Math.max(5, 2 * more)).map((moment, index) => ({ ...moment, index })))(
    `leaves nothing half-written and ends with the same bytes: kill $index of seed ${seed}, after $outputs outputs and $milliseconds ms`,
    async ({ index, ...moment }) => {
      const out = `killed-${index}`;
      await killed(out, moment, 'SIGKILL');
      expectNothingHalfWritten(out);
      await expectToGoOn(out);
    },
  );

  it('twice in a row, goes on where it was the second time', async () => {
    await killed('twice', { outputs: 9, milliseconds: 0 }, 'SIGKILL');
    await killed('twice', { outputs: 9, milliseconds: 0 }, 'SIGKILL', '--resume');
    expectNothingHalfWritten('twice');
    const { out } = await expectToGoOn('twice');
    const [, kept] = /"kept":(\d+)/.exec(out) ?? [];
    expect(Number(kept)).toBeGreaterThanOrEqual(18);
  });
});

describe('a batch that is told to stop', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s ends by it, tidies up, and can be gone on with', async (signal) => {
    const { signal: by, out } = await killed(signal, { outputs: 5, milliseconds: 0 }, signal);
    expect(by).toBe(signal);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ event: 'ended', status: 'interrupted', failed: 0 });
    expect(events.filter(({ event }) => event === 'failed')).toEqual([]);
    const left = join(folder, signal, '.plumecast-batch');
    expect(readdirSync(left)).toEqual(['journal.jsonl']);
    expectNothingHalfWritten(signal);
    await expectToGoOn(signal);
  });
});
