import type { InputFingerprints } from './input-fingerprints.js';
import type { BatchOutput } from './plan-outputs.js';

/** The size of each input of outputs in bytes; 0 where it is not known. */
export async function readSizes(
  outputs: readonly BatchOutput[],
  files: InputFingerprints,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { input } of outputs.flatMap(({ parts }) => parts)) {
    if (sizes.has(input)) continue;
    const state = await files.state(input).catch(() => undefined);
    sizes.set(input, state?.bytes ?? 0);
  }
  return sizes;
}

/** The bytes to read for outputs: an input counts once for each part. */
export function totalBytes(outputs: readonly BatchOutput[], sizes: ReadonlyMap<string, number>): number {
  return outputs.reduce((sum, { parts, pieces }) => {
    const bytes = parts.reduce((all, { input }) => all + (sizes.get(input) ?? 0), 0);
    return sum + bytes * (pieces?.share ?? 1);
  }, 0);
}
