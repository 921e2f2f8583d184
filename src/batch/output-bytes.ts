import type { InputFingerprints } from './input-fingerprints.js';
import type { BatchOutput } from './plan-outputs.js';

/** The size of each input of outputs in bytes; 0 where it is not known. */
export async function readSizes(
  outputs: readonly BatchOutput[],
  files: InputFingerprints,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { input, files: own = [input] } of outputs.flatMap(({ parts }) => parts)) {
    if (sizes.has(input)) continue;
    let bytes = 0;
    for (const path of own) bytes += (await files.state(path).catch(() => undefined))?.bytes ?? 0;
    sizes.set(input, bytes);
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
