import type { CoreMemory } from './memory.js';

/**
 * What a kernel is to do: fields in scratch of the core's memory, a word of 32 bits each. `generated/jobs.ts` has a class for
 * each kind of job.
 */
export class KernelJob {
  readonly address: number;
  /** The word of the memory at which the fields begin. */
  protected readonly at: number;
  readonly #memory: CoreMemory;

  constructor(memory: CoreMemory, fields: number) {
    this.#memory = memory;
    this.address = memory.scratch(4 * fields);
    this.at = this.address / 4;
  }

  /** The whole memory as words. */
  protected get words(): Int32Array {
    return this.#memory.whole('int32');
  }
}
