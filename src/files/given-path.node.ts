import { fileURLToPath } from 'node:url';
import { isAddress } from '../disk/local-path.js';

/**
 * The path of a file that is given as a text or a `file:` URL; undefined for bytes, and for other addresses, which
 * functions that read bytes reject.
 */
export function givenPath(source: unknown): string | undefined {
  if (source instanceof URL && source.protocol === 'file:') return fileURLToPath(source);
  return typeof source === 'string' && !isAddress(source) ? source : undefined;
}
