import type { CoreMemory } from './memory.js';

/**
 * What a kernel is to do: fields in scratch of the core's memory, a word of 32 bits each. `generated/jobs.ts` has a
 * class for each kind of job.
 */
export class KernelJob {
  readonly address: number;
  readonly #memory: CoreMemory;

  /** `values` are those of the first of so many fields. */
  constructor(memory: CoreMemory, fields: number, values: readonly number[]) {
    this.#memory = memory;
    this.address = memory.scratch(4 * fields);
    this.write(0, values);
  }

  /** Writes fields, from the given one on. */
  protected write(first: number, values: readonly number[]): void {
    const words = this.#memory.whole('int32');
    const at = this.address / 4 + first;
    for (let i = 0; i < values.length; i++) words[at + i] = values[i];
  }
}
