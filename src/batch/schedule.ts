import type { BatchOutput } from './plan-outputs.js';
import type { BlocksTask, OpenTask, OutputTask, SiblingPart } from './task.js';
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
  /** Outputs of the same variable of the same input, as long as none of them is started. */
  readonly #sameInput = new Map<string, PendingOutput[]>();
  /** Outputs that are computed together with another, from the same blocks, or may be. */
  readonly #siblings = new Map<PendingOutput, PendingOutput[]>();
  readonly #waiting: (() => void)[] = [];
  /** An output that may be divided, and the number of other threads that have not begun to open its input. */
  #shared: { readonly pending: PendingOutput; unopened: number } | undefined;
  #stopped = false;
  /** Outputs that are started and not settled. */
  readonly #started = new Set<PendingOutput>();

  constructor(outputs: readonly PendingOutput[], work: Pick<WorkFolder, 'temporary' | 'results'>, workers: number) {
    this.#outputs = [...outputs];
    for (const pending of outputs) this.#noteInput(pending);
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
        const siblings = this.#takeSiblings(pending);
        const isShared = this.#workers > 1 && this.#outputs.length < this.#workers - 1;
        const share = isShared && (this.left === 1 + siblings.length ? 'alone' : true);
        if (isShared && pending.output.parts.length === 1) this.#shared = { pending, unopened: this.#workers - 1 };
        return {
          pending,
          task: { ...this.#outputTask(pending, { share, computed: false }), ...this.#parts(siblings) },
        };
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
      const siblings = this.#parts(this.#siblings.get(pending));
      const task: BlocksTask = { kind: 'blocks', part: only, results, from, to, pieces: pieces?.blocks, ...siblings };
      this.#tasks.push({ pending, task });
    }
    this.#wake();
  }

  /** Counts a task of blocks as done; after the last one the output can be written. */
  blocksDone(pending: PendingOutput): void {
    const undone = (this.#undone.get(pending) ?? 0) - 1;
    this.#undone.set(pending, undone);
    if (undone <= 0) this.computed(pending);
  }

  /** The results of an output and of its siblings are computed: each can be written. */
  computed(pending: PendingOutput): void {
    const outputs = [pending, ...(this.#siblings.get(pending) ?? [])];
    this.#siblings.delete(pending);
    if (this.#shared?.pending === pending) this.#shared = undefined;
    const how = { share: false, computed: true };
    this.#tasks.unshift(...outputs.map((each) => ({ pending: each, task: this.#outputTask(each, how) })));
    this.#wake();
  }

  /** Some siblings of an output, by their index, are not computed together with it. */
  separate(pending: PendingOutput, indices: readonly number[]): void {
    const siblings = this.#siblings.get(pending) ?? [];
    const apart = siblings.filter((_, index) => indices.includes(index));
    const together = siblings.filter((sibling) => !apart.includes(sibling));
    if (together.length === 0) this.#siblings.delete(pending);
    else this.#siblings.set(pending, together);
    for (const sibling of apart) this.#started.delete(sibling);
    for (const sibling of apart) this.#noteInput(sibling);
    this.#outputs.unshift(...apart);
    this.#wake();
  }

  /** Removes an output that is done, or has failed, and its other tasks. */
  settle(pending: PendingOutput): void {
    if (this.#shared?.pending === pending) this.#shared = undefined;
    // Where an output fails, its siblings say for themselves what is wrong with them.
    this.separate(pending, [...(this.#siblings.get(pending) ?? []).keys()]);
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

  /** Takes the outputs that may be computed together with one: those of the same variable of the same input. */
  #takeSiblings(pending: PendingOutput): readonly PendingOutput[] {
    const key = inputKey(pending);
    if (key === undefined) return [];
    const siblings = (this.#sameInput.get(key) ?? []).filter((other) => other !== pending);
    this.#sameInput.delete(key);
    for (const sibling of siblings) {
      this.#outputs.splice(this.#outputs.indexOf(sibling), 1);
      this.#started.add(sibling);
    }
    if (siblings.length > 0) this.#siblings.set(pending, siblings);
    return siblings;
  }

  #noteInput(pending: PendingOutput): void {
    const key = inputKey(pending);
    if (key === undefined) return;
    this.#sameInput.set(key, [...(this.#sameInput.get(key) ?? []), pending]);
  }

  #parts(siblings: readonly PendingOutput[] = []): { siblings?: readonly SiblingPart[] } {
    if (siblings.length === 0) return {};
    return {
      siblings: siblings.map(({ index, output }) => ({ part: output.parts[0], results: this.#work.results(index) })),
    };
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

/** The variable and input of an entire output that has one part; undefined for others, which have no siblings. */
function inputKey({ output: { parts, pieces } }: PendingOutput): string | undefined {
  if (parts.length > 1 || pieces !== undefined) return undefined;
  return JSON.stringify([parts[0].input, parts[0].variable]);
}

/** Whether a task is the blocks after those of another. */
function follows({ pending, task }: Job, before: Job): boolean {
  if (pending !== before.pending || task.kind !== 'blocks' || before.task.kind !== 'blocks') return false;
  return task.from === before.task.to;
}
