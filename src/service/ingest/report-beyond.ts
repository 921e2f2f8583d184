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
    if (limits !== undefined) for (const value of block) if (value < limits[0] || value > limits[1]) count++;
    yield block;
  }
  if (limits === undefined || count === 0) return;
  const [low, high] = limits;
  const span = Number.isFinite(high) ? `outside ${low} to ${high}` : `below ${low}`;
  const values = count === 1 ? '1 value' : `${count} values`;
  onNotice?.(`${source}: ${values} of ${slug} ${span}: derived variables take the limit instead`);
}
