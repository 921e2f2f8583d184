import { DataError } from '../../errors.js';

/** Passes the blocks of a variable on. Throws DataError at their end where all values were missing. */
export async function* assertValues(source: string, blocks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  let hasValues = false;
  for await (const block of blocks) {
    hasValues ||= block.some((value) => !Number.isNaN(value));
    yield block;
  }
  if (hasValues) return;
  throw new DataError({
    source,
    problem: 'has no value: all are missing',
    allowed: 'a value of some member on some day',
  });
}
