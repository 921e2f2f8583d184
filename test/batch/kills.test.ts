import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from '../cli/run-command.js';
import { isFullCheck } from '../full-check.js';
import { checksums, type Ended, startBatch } from './batch-process.js';
import { writeInputs } from './many-inputs.js';

const INPUTS = 30;
const ARGS = ['runs', '--variable', 'precipitation', '--threshold', '>2'];
const { folder, remove } = folderWith({});
afterAll(remove);

/** Of the batch that nothing disturbs. */
let whole: Record<string, string>;

beforeAll(async () => {
  await writeInputs(folder, INPUTS);
  expect(await startBatch([...ARGS, '--out', 'whole'], folder).ended).toMatchObject({ code: 0, err: '' });
  whole = checksums(join(folder, 'whole'));
  expect(Object.keys(whole)).toHaveLength(INPUTS + 1);
});

/** When a batch is killed: after so many outputs, and then so many milliseconds. */
interface Moment {
  readonly outputs: number;
  readonly milliseconds: number;
  readonly workers: number;
}

/** Moments that a seed gives, from before the first output to after the last one. */
function moments(seed: number, count: number): Moment[] {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, index) => ({
    outputs: Math.floor(((index + next(100) / 100) / count) * (INPUTS + 1)),
    milliseconds: next(10),
    workers: 1 + next(2),
  }));
}

/** Runs a batch to a folder until it gets a signal. */
function killed(out: string, moment: Moment, signal: NodeJS.Signals, ...args: string[]): Promise<Ended> {
  let finished = 0;
  const own = ['--out', out, '--workers', String(moment.workers), ...args];
  const batch = startBatch([...ARGS, ...own], folder, ({ event }) => {
    if (event === 'finished') finished++;
    if (finished === moment.outputs && (event === 'finished' || event === 'planned'))
      setTimeout(() => batch.kill(signal), moment.milliseconds);
  });
  return batch.ended;
}

function expectNothingHalfWritten(out: string): void {
  for (const [name, checksum] of Object.entries(checksums(join(folder, out))))
    expect([name, checksum]).toEqual([name, whole[name]]);
}

/** Resumes a batch, and returns the number of outputs that were whole already. */
function expectToGoOn(out: string): number {
  const resumed = plumecast(['batch', ...ARGS, '--out', out, '--resume', '--json'], { cwd: folder });
  expect(resumed).toMatchObject({ code: 0, err: '' });
  expect(checksums(join(folder, out))).toEqual(whole);
  expect(existsSync(join(folder, out, '.plumecast-batch'))).toBe(false);
  return JSON.parse(resumed.out.slice(0, resumed.out.indexOf('\n'))).kept;
}

/** A few kills; in a full check many, at other moments each time. */
const kills = isFullCheck ? 100 : 3;
const seed = isFullCheck ? Date.now() >>> 0 : 20_221_002;

describe('a batch that is killed', () => {
  it.each(moments(seed, kills))(
    `leaves nothing half-written and ends with the same bytes (seed ${seed}): after $outputs outputs and $milliseconds ms, workers: $workers`,
    async (moment) => {
      const out = `killed-${moment.outputs}-${moment.milliseconds}-${moment.workers}`;
      await killed(out, moment, 'SIGKILL');
      expectNothingHalfWritten(out);
      expect(expectToGoOn(out)).toBeGreaterThanOrEqual(moment.outputs);
    },
  );

  it('twice continues from where it was the second time', async () => {
    const moment = { outputs: 9, milliseconds: 0, workers: 2 };
    await killed('twice', moment, 'SIGKILL');
    await killed('twice', moment, 'SIGKILL', '--resume');
    expectNothingHalfWritten('twice');
    expect(expectToGoOn('twice')).toBeGreaterThanOrEqual(18);
  });
});

describe('a batch that receives a signal', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s ends by it, reports no failures, and leaves the journal alone',
    async (signal) => {
      const { signal: by, out } = await killed(signal, { outputs: 3, milliseconds: 0, workers: 2 }, signal);
      expect(by).toBe(signal);
      const events = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(events.at(-1)).toMatchObject({ event: 'ended', status: 'interrupted', failed: 0 });
      expect(events.filter(({ event }) => event === 'failed')).toEqual([]);
      expect(readdirSync(join(folder, signal, '.plumecast-batch'))).toEqual(['journal.jsonl']);
      expectNothingHalfWritten(signal);
    },
  );
});
