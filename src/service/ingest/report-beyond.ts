import { limitsOf } from '../../blend/derive-series.js';

/**
 * Passes the blocks of a variable on, and reports at their end how many values lie beyond the limits of its quantity:
 * they are stored as they are, and derived variables take them as the limit.
 */
export async function* reportBeyond(
  source: string,
  slug: string,
  blocks: Iterable<Float32Array> | AsyncIterable<Float32Array>,
  onNotice: ((text: string) => void) | undefined,
): AsyncGenerator<Float32Array> {
  const limits = limitsOf(slug);
  let count = 0;
  for await (const block of blocks) {
    if (limits !== undefined) count += countBeyond(block, limits);
    yield block;
  }
  if (limits === undefined || count === 0) return;
  const [low, high] = limits;
  const span = Number.isFinite(high) ? `outside ${low} to ${high}` : `below ${low}`;
  const values = count === 1 ? '1 value' : `${count} values`;
  onNotice?.(`${source}: ${values} of ${slug} ${span}: derived variables take the limit instead`);
}

function countBeyond(block: Float32Array, [low, high]: readonly [number, number]): number {
  let count = 0;
  for (let i = 0; i < block.length; i++) if (block[i] < low || block[i] > high) count++;
  return count;
}
