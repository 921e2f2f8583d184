import type { CoreMemory } from './memory.js';

/**
 * What a kernel is to do: fields in scratch of the core's memory, a word of 32 bits each. `generated/jobs.ts` has a class for
 * each kind of job.
 */
export class KernelJob {
  readonly address: number;
  readonly #memory: CoreMemory;

  constructor(memory: CoreMemory, fields: number) {
    this.#memory = memory;
    this.address = memory.scratch(4 * fields);
  }

  /** The whole memory as words, of which the fields begin at word `address / 4`. */
  protected words(): Int32Array {
    return this.#memory.whole('int32');
  }
}
