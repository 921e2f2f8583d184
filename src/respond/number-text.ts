import { TextJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import type { HeldResults } from '../statistics/compute.js';

/** The kernel reads and writes vectors of so many bytes. */
const VECTOR_BYTES = 16;
/** A number takes at most so many bytes: ten digits, a sign and a point. */
const MAX_NUMBER_BYTES = 12;

/** The shape of a text with numbers. */
export interface NumberTextShape {
  /** What is before each number, in the order in which they are written; UTF-8. */
  readonly texts: readonly Uint8Array[];
  readonly columns: number;
  /** 0 to 3. */
  readonly decimals: number;
}

/** Writes float32 numbers, each after a text of its own, by a kernel: all in the core's memory. */
export class NumberText {
  readonly #core: Core;
  readonly #job: TextJob;
  readonly #out: number;

  /** Takes scratch from the core's memory. */
  constructor(core: Core, { texts, columns, decimals }: NumberTextShape) {
    const { memory } = core;
    const places = new Map<Uint8Array, number>();
    let bytes = 0;
    for (const text of texts) {
      if (places.has(text)) continue;
      places.set(text, bytes);
      bytes += text.length;
    }
    const held = memory.scratch(bytes + VECTOR_BYTES);
    const table = memory.scratch(8 * texts.length);
    const length = texts.reduce((sum, text) => sum + text.length + MAX_NUMBER_BYTES, VECTOR_BYTES);
    this.#out = memory.scratch(length);
    const rows = texts.length / columns;
    this.#core = core;
    this.#job = new TextJob(memory, { texts: table, out: this.#out, decimals, columnCount: columns, rows });
    for (const [text, at] of places) memory.bytes(held + at, text.length).set(text);
    const words = memory.whole('int32');
    texts.forEach((text, i) => {
      words[table / 4 + 2 * i] = held + (places.get(text) as number);
      words[table / 4 + 2 * i + 1] = text.length;
    });
  }

  /**
   * The text with the numbers of some columns, row after row from `row` on, as `JsonWriter.number` writes them: a view,
   * valid until it is called again. Undefined where a number is infinite or too large.
   */
  write({ address, columnBytes }: HeldResults, row = 0): Uint8Array | undefined {
    const { kernels, memory } = this.#core;
    this.#job.set(address + row * Float32Array.BYTES_PER_ELEMENT, columnBytes);
    const end = kernels.writeNumbersF32(this.#job.address) >>> 0;
    return end === 0 ? undefined : memory.bytes(this.#out, end - this.#out);
  }
}
