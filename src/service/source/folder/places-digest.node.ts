import { createHash } from 'node:crypto';
import type { Places } from '../../../ensemble/nearest-place.js';

/** A digest of places: the same for the same coordinates in the same order. */
export function placesDigest({ latitude, longitude }: Places): string {
  const hash = createHash('sha256').update(bytesOf(latitude)).update(bytesOf(longitude));
  return hash.digest('hex').slice(0, 32);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
