import { createRandomStream, type RandomStream } from '../../src/demo/random.js';

/** Seeded choices: the same key gives the same ones everywhere. */
export class Dice {
  readonly #stream: RandomStream;

  constructor(key: readonly number[]) {
    this.#stream = createRandomStream(key);
  }

  /** An integer from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.#stream.nextUniform() * count);
  }

  /** An integer from `first` to `last`. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.#stream.nextUniform() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** Small numbers more often than large ones, up to `last`. */
  small(last: number): number {
    return Math.min(last, Math.floor(last ** this.#stream.nextUniform()));
  }
}
