import { readEcmwfLines } from './ecmwf-lines.js';
import type { ListedMessage } from './listed-message.js';
import { readNcepLines } from './ncep-lines.js';

/**
 * Reads an index file: the inventory that wgrib2 writes for NCEP's files, or the lines of JSON beside ECMWF's. The
 * messages are in the order of their offsets. Returns what is wrong where a line has another form, or messages do not
 * follow each other.
 */
export function parseInventory(text: string | undefined): readonly ListedMessage[] | string {
  if (text === undefined) return 'it cannot be read, or has more than 64 MiB';
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return 'it is empty';
  return lines[0].startsWith('{') ? readEcmwfLines(lines) : readNcepLines(lines);
}
