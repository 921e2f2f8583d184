import type { BatchOutput } from './plan-outputs.js';
import type { BlocksTask, OpenTask, OutputTask } from './task.js';
import type { WorkFolder } from './work-folder.js';

/** An output to make. */
export interface PendingOutput {
  /** Its index among the outputs of the plan. */
  readonly index: number;
  readonly output: BatchOutput;
}

/** A task and the output that it is for. */
export interface Job {
  readonly pending: PendingOutput;
  readonly task: OutputTask | OpenTask | BlocksTask;
}

/** The most tasks for each thread when a grid is divided: with many of them threads end at about the same time. */
const PARTS_PER_WORKER = 64;

/** Decides what to do next: outputs one after the other; tasks of a divided output come before the next output. */
export class Schedule {
  readonly #work: Pick<WorkFolder, 'temporary' | 'results'>;
  readonly #workers: number;
  /** Outputs that are not started. */
  readonly #outputs: PendingOutput[];
  /** Tasks of outputs that are started. */
  readonly #tasks: Job[] = [];
  /** The number of unfinished tasks of each divided output. */
  readonly #undone = new Map<PendingOutput, number>();
  readonly #waiting: (() => void)[] = [];
  /** An output that may be divided, and the number of other threads that have not begun to open its input. */
  #shared: { readonly pending: PendingOutput; unopened: number } | undefined;
  #stopped = false;
  /** Outputs that are started and not settled. */
  readonly #started = new Set<PendingOutput>();

  constructor(outputs: readonly PendingOutput[], work: Pick<WorkFolder, 'temporary' | 'results'>, workers: number) {
    this.#outputs = [...outputs];
    this.#work = work;
    this.#workers = workers;
  }

  /** The number of outputs that are not settled. */
  get left(): number {
    return this.#outputs.length + this.#started.size;
  }

  /** Whether an output is started and not settled, and the schedule not stopped. */
  isOpen(pending: PendingOutput): boolean {
    return !this.#stopped && this.#started.has(pending);
  }

  /**
   * The next job; waits while one may still come, and resolves to undefined when none can. `previous` is the job that
   * the thread did last: it is given the blocks after those, which often need the same stored values.
   */
  async next(previous?: Job): Promise<Job | undefined> {
    for (;;) {
      if (this.#stopped) return undefined;
      const [task] = this.#tasks.splice(this.#choose(previous), 1);
      if (task !== undefined) return task;
      const pending = this.#outputs.shift();
      if (pending !== undefined) {
        this.#started.add(pending);
        const isShared = this.#workers > 1 && this.#outputs.length < this.#workers - 1;
        const share = isShared && (this.left === 1 ? 'alone' : true);
        if (isShared && pending.output.parts.length === 1) this.#shared = { pending, unopened: this.#workers - 1 };
        return { pending, task: this.#outputTask(pending, { share, computed: false }) };
      }
      if (this.#started.size === 0) return undefined;
      if (this.#shared !== undefined && this.#shared.unopened > 0) return this.#openTask(this.#shared);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Divides an output into tasks of some blocks each, for all threads. */
  divide(pending: PendingOutput, blocks: number): void {
    this.#shared = undefined;
    const parts = Math.min(blocks, this.#workers * PARTS_PER_WORKER);
    this.#undone.set(pending, parts);
    const {
      parts: [only],
      pieces,
    } = pending.output;
    for (let part = 0; part < parts; part++) {
      const from = Math.floor((part * blocks) / parts);
      const to = Math.floor(((part + 1) * blocks) / parts);
      const results = this.#work.results(pending.index);
      const task: BlocksTask = { kind: 'blocks', part: only, results, from, to, pieces: pieces?.blocks };
      this.#tasks.push({ pending, task });
    }
    this.#wake();
  }

  /** Counts a task of blocks as done; after the last one the output can be written. */
  blocksDone(pending: PendingOutput): void {
    const undone = (this.#undone.get(pending) ?? 0) - 1;
    this.#undone.set(pending, undone);
    if (undone > 0) return;
    this.#tasks.unshift({ pending, task: this.#outputTask(pending, { share: false, computed: true }) });
    this.#wake();
  }

  /** Removes an output that is done, or has failed, and its other tasks. */
  settle(pending: PendingOutput): void {
    if (this.#shared?.pending === pending) this.#shared = undefined;
    this.#started.delete(pending);
    this.#undone.delete(pending);
    for (let index = this.#tasks.length - 1; index >= 0; index--) {
      if (this.#tasks[index].pending === pending) this.#tasks.splice(index, 1);
    }
    this.#wake();
  }

  /** Starts nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  /**
   * The place of the task to do next: blocks that follow those of `previous`; else the middle of the most blocks in a
   * row that nobody has begun, as the thread at work before them comes to the first half.
   */
  #choose(previous: Job | undefined): number {
    const tasks = this.#tasks;
    if (tasks[0]?.task.kind !== 'blocks') return 0;
    const next = previous === undefined ? -1 : tasks.findIndex((task) => follows(task, previous));
    if (next >= 0) return next;
    let [first, count] = [0, 0];
    for (let from = 0, to = 1; from < tasks.length; from = to++) {
      while (to < tasks.length && follows(tasks[to], tasks[to - 1])) to++;
      if (to - from > count) [first, count] = [from, to - from];
    }
    const { task } = tasks[first];
    return task.kind === 'blocks' && task.from === 0 ? first : first + Math.floor(count / 2);
  }

  /** Threads that have nothing to do open the input while the first one does, rather than after it. */
  #openTask(shared: { readonly pending: PendingOutput; unopened: number }): Job {
    shared.unopened--;
    const { pending } = shared;
    return { pending, task: { kind: 'open', part: pending.output.parts[0] } };
  }

  #outputTask({ index, output }: PendingOutput, how: Pick<OutputTask, 'share' | 'computed'>): OutputTask {
    const { parts, pieces } = output;
    return {
      kind: 'output',
      parts,
      pieces: pieces?.blocks,
      temporary: this.#work.temporary(index),
      results: this.#work.results(index),
      ...how,
    };
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Whether a task is the blocks after those of another. */
function follows({ pending, task }: Job, before: Job): boolean {
  if (pending !== before.pending || task.kind !== 'blocks' || before.task.kind !== 'blocks') return false;
  return task.from === before.task.to;
}
