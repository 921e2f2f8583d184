import type { BatchOutput } from './plan-outputs.js';
import type { Task } from './task.js';
import type { WorkFolder } from './work-folder.js';

/** An output that is to be made. */
export interface PendingOutput {
  /** Its place among the outputs of the plan. */
  readonly index: number;
  readonly output: BatchOutput;
}

/** A task and the output that it is for. */
export interface Job {
  readonly pending: PendingOutput;
  readonly task: Task;
}

/** Parts that a thread takes of a grid that several compute: more even out what differs, fewer open the file less often. */
const PARTS_PER_WORKER = 4;

/** What is to be done next: outputs one after the other; what several threads can do of one comes before the next one. */
export class Schedule {
  readonly #work: Pick<WorkFolder, 'temporary' | 'results'>;
  readonly #workers: number;
  /** Outputs that are not begun. */
  readonly #outputs: PendingOutput[];
  /** Tasks of outputs that are. */
  readonly #tasks: Job[] = [];
  /** For each output that was divided, the tasks that are not done. */
  readonly #undone = new Map<PendingOutput, number>();
  readonly #waiting: (() => void)[] = [];
  #stopped = false;
  /** Outputs that are begun and not settled. */
  readonly #begun = new Set<PendingOutput>();

  constructor(outputs: readonly PendingOutput[], work: Pick<WorkFolder, 'temporary' | 'results'>, workers: number) {
    this.#outputs = [...outputs];
    this.#work = work;
    this.#workers = workers;
  }

  /** The outputs that are not settled. */
  get left(): number {
    return this.#outputs.length + this.#begun.size;
  }

  /** Whether an output is still to be made. */
  isOpen(pending: PendingOutput): boolean {
    return !this.#stopped && this.#begun.has(pending);
  }

  /** The next job; waits while there may be one, undefined where there is none any more. */
  async next(): Promise<Job | undefined> {
    for (;;) {
      if (this.#stopped) return undefined;
      const task = this.#tasks.shift();
      if (task !== undefined) return task;
      const pending = this.#outputs.shift();
      if (pending !== undefined) {
        this.#begun.add(pending);
        const share = this.#workers > 1 && this.#outputs.length < this.#workers - 1;
        return { pending, task: this.#whole(pending, { share, computed: false }) };
      }
      if (this.#begun.size === 0) return undefined;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Has the blocks of an output computed by all threads. */
  divide(pending: PendingOutput, blocks: number): void {
    const parts = Math.min(blocks, this.#workers * PARTS_PER_WORKER);
    this.#undone.set(pending, parts);
    for (let part = 0; part < parts; part++) {
      const from = Math.floor((part * blocks) / parts);
      const to = Math.floor(((part + 1) * blocks) / parts);
      const results = this.#work.results(pending.index);
      this.#tasks.push({ pending, task: { kind: 'blocks', part: pending.output.parts[0], results, from, to } });
    }
    this.#wake();
  }

  /** After the last of its blocks an output can be written. */
  blocksDone(pending: PendingOutput): void {
    const undone = (this.#undone.get(pending) ?? 0) - 1;
    this.#undone.set(pending, undone);
    if (undone > 0) return;
    this.#tasks.unshift({ pending, task: this.#whole(pending, { share: false, computed: true }) });
    this.#wake();
  }

  /** An output is done, or cannot be: its other tasks are no more. */
  settle(pending: PendingOutput): void {
    this.#begun.delete(pending);
    this.#undone.delete(pending);
    for (let index = this.#tasks.length - 1; index >= 0; index--) {
      if (this.#tasks[index].pending === pending) this.#tasks.splice(index, 1);
    }
    this.#wake();
  }

  /** Nothing more is to be begun. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  #whole({ index, output }: PendingOutput, how: { share: boolean; computed: boolean }): Task {
    const { parts } = output;
    return {
      kind: 'output',
      parts,
      temporary: this.#work.temporary(index),
      results: this.#work.results(index),
      ...how,
    };
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
