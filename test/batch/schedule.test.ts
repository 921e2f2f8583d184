import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Job, type PendingOutput, Schedule } from '../../src/batch/schedule.js';

const work = { temporary: (index: number) => `${index}.part`, results: (index: number) => `${index}.results` };

/** Outputs of as many inputs, or `ofInput` of each. */
function pendingOutputs(count: number, ofInput = 1): PendingOutput[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    output: {
      name: `${index}`,
      parts: [{ input: `${Math.floor(index / ofInput)}.nc`, variable: undefined, granularity: 'daily' }],
    },
  }));
}

/** What becomes of an output: the blocks that it would be divided in, and the tasks of it that fail, by their order. */
interface Fate {
  readonly blocks: number;
  readonly failing: number | undefined;
  readonly pauses: readonly number[];
  /** Which siblings are computed apart from it, by a number for each of their indices. */
  readonly apart: readonly boolean[];
}

const fates = fc.array(
  fc.record({
    blocks: fc.integer({ min: 0, max: 40 }),
    failing: fc.option(fc.nat(9), { nil: undefined }),
    pauses: fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }),
    apart: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  }),
  { maxLength: 12 },
);

/** Workers that do what the fates of outputs are; returns what was done of each. */
async function carriedOut(outputs: readonly Fate[], workers: number, ofInput: number) {
  const pending = pendingOutputs(outputs.length, ofInput);
  const schedule = new Schedule(pending, work, workers);
  const done = outputs.map(() => ({ settled: 0, failed: false, opened: 0, tasks: 0, blocks: [] as number[] }));

  async function perform({ pending: output, task }: Job): Promise<void> {
    const fate = outputs[output.index];
    const so = done[output.index];
    if (task.kind === 'open') {
      so.opened++;
      return;
    }
    const order = so.tasks++;
    for (let turn = fate.pauses[order % fate.pauses.length]; turn > 0; turn--) await Promise.resolve();
    if (!schedule.isOpen(output)) return;
    if (order === fate.failing) {
      so.failed = true;
      so.settled++;
      schedule.settle(output);
    } else if (task.kind === 'blocks') {
      for (let block = task.from; block < task.to; block++) so.blocks.push(block);
      schedule.blocksDone(output);
    } else if (task.computed) {
      so.settled++;
      schedule.settle(output);
    } else if (task.siblings !== undefined) {
      const apart = [...task.siblings.keys()].filter((index) => fate.apart[index]);
      schedule.separate(output, apart);
      await Promise.resolve();
      const isAlone = apart.length === task.siblings.length;
      if (task.share && fate.blocks > 0) schedule.divide(output, fate.blocks);
      else if (!isAlone) schedule.computed(output);
      else {
        so.settled++;
        schedule.settle(output);
      }
    } else if (task.share && fate.blocks > 0) {
      schedule.divide(output, fate.blocks);
    } else {
      so.settled++;
      schedule.settle(output);
    }
  }

  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let job = await schedule.next(); job !== undefined; job = await schedule.next(job)) await perform(job);
    }),
  );
  return { done, left: schedule.left };
}

describe('Schedule', () => {
  it('settles every output once and computes each block once, in any order and with any failures', async () => {
    await fc.assert(
      fc.asyncProperty(fates, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }), async (...run) => {
        const [outputs, workers] = run;
        const { done, left } = await carriedOut(...run);
        expect(left).toBe(0);
        done.forEach(({ settled, failed, opened, blocks }, index) => {
          expect(settled).toBe(1);
          expect(opened).toBeLessThan(workers);
          const sorted = [...blocks].sort((a, b) => a - b);
          expect(new Set(sorted).size).toBe(sorted.length);
          if (!failed && sorted.length > 0) expect(sorted).toEqual([...Array(outputs[index].blocks).keys()]);
        });
      }),
      { numRuns: 300, seed: 20_221_002 },
    );
  });

  it('gives outputs in order, and divides only the last ones, when threads would be idle', async () => {
    const schedule = new Schedule(pendingOutputs(4), work, 2);
    const jobs = [await schedule.next(), await schedule.next(), await schedule.next(), await schedule.next()];
    expect(jobs.map((job) => [job?.pending.index, (job?.task as { share: boolean } | undefined)?.share])).toEqual([
      [0, false],
      [1, false],
      [2, false],
      [3, true],
    ]);
    const alone = new Schedule(pendingOutputs(1), work, 1);
    expect(await alone.next()).toMatchObject({ task: { share: false, temporary: '0.part', results: '0.results' } });
  });

  it('gives a thread the blocks after those that it did, and another thread the second half of what is left', async () => {
    const schedule = new Schedule(pendingOutputs(1), work, 2);
    const whole = (await schedule.next()) as Job;
    schedule.divide(whole.pending, 16);
    const blocks = (job: Job | undefined) => job?.task.kind === 'blocks' && [job.task.from, job.task.to];
    let one = await schedule.next(whole);
    let two = await schedule.next();
    expect([blocks(one), blocks(two)]).toEqual([
      [0, 1],
      [8, 9],
    ]);
    [one, two] = [await schedule.next(one), await schedule.next(two)];
    expect([blocks(one), blocks(two)]).toEqual([
      [1, 2],
      [9, 10],
    ]);
    const rest = [await schedule.next(two), await schedule.next(), await schedule.next(one), await schedule.next(one)];
    expect(rest.map(blocks)).toEqual([
      [10, 11],
      [5, 6],
      [2, 3],
      [13, 14],
    ]);
  });

  it('lets each other thread open the input of an output that may be divided, once, while the first one does', async () => {
    const schedule = new Schedule(pendingOutputs(1), work, 3);
    const first = (await schedule.next()) as Job;
    expect([first.task.kind, (await schedule.next())?.task]).toEqual([
      'output',
      { kind: 'open', part: first.pending.output.parts[0] },
    ]);
    expect((await schedule.next())?.task.kind).toBe('open');
    const waiting = schedule.next();
    schedule.divide(first.pending, 4);
    expect((await waiting)?.task.kind).toBe('blocks');
  });

  it('gives outputs of the same input as siblings of the first, until they are computed or separated', async () => {
    const schedule = new Schedule(pendingOutputs(6, 3), work, 3);
    const [first, other] = [(await schedule.next()) as Job, (await schedule.next()) as Job];
    expect([first, other].map(({ pending }) => pending.index)).toEqual([0, 3]);
    const sibling = { part: first.pending.output.parts[0], results: '1.results' };
    expect(first.task).toMatchObject({ siblings: [sibling, { ...sibling, results: '2.results' }] });
    schedule.separate(first.pending, [1]);
    const apart = (await schedule.next()) as Job;
    expect([apart.pending.index, 'siblings' in apart.task]).toEqual([2, false]);
    schedule.computed(first.pending);
    const written = [(await schedule.next()) as Job, (await schedule.next()) as Job];
    expect(written.map(({ pending, task }) => [pending.index, task])).toMatchObject([
      [0, { computed: true, results: '0.results' }],
      [1, { computed: true, results: '1.results' }],
    ]);
    // Where one fails, the others are made by themselves.
    schedule.settle(other.pending);
    expect(await schedule.next()).toMatchObject({
      pending: { index: 4 },
      task: { siblings: [{ results: '5.results' }] },
    });
    expect(schedule.left).toBe(5);
  });

  it('says of an output whether all other threads are idle until it is done', async () => {
    const shares = async (outputs: number) => {
      const schedule = new Schedule(pendingOutputs(outputs), work, 2);
      const jobs = [await schedule.next()];
      for (let i = 1; i < outputs; i++) jobs.push(await schedule.next());
      return jobs.map((job) => job?.task.kind === 'output' && job.task.share);
    };
    expect(await shares(1)).toEqual(['alone']);
    expect(await shares(2)).toEqual([false, true]);
  });

  it('ends all waiting when it is stopped, and starts nothing more', async () => {
    const schedule = new Schedule(pendingOutputs(1), work, 2);
    const job = await schedule.next();
    await schedule.next();
    const waiting = schedule.next();
    schedule.stop();
    expect(await waiting).toBeUndefined();
    expect(schedule.isOpen((job as Job).pending)).toBe(false);
    expect(schedule.left).toBe(1);
  });
});
