import { InvalidArgumentError } from 'commander';
import { isPlumecastError, OptionError } from '../errors.js';
import { loadPackage } from '../files/load-package.js';
import { readInput, sourceName } from '../input/input-file.js';
import { readKeyEntries } from '../service/access/key-file.node.js';
import type { NewKey } from '../service/access/key-register.js';
import { assertStrong } from '../service/access/key-strength.js';
import { nearestName } from '../variable/nearest-name.js';
import { quotaNumber, rateQuota, timeText } from './option-values.js';

/** What rows without such a cell get. */
export interface ImportDefaults {
  readonly owner?: string;
  readonly downscaling: boolean;
}

/** Columns of a file of keys; `key` or `key_hash` is needed. */
const COLUMNS = [
  'key',
  'key_hash',
  'id',
  'owner',
  'downscaling',
  'note',
  'starts',
  'expires',
  'rate',
  'quota',
] as const;

type Row = Partial<Record<(typeof COLUMNS)[number], string>>;

/**
 * The keys of a CSV file with a header, or of the `keys.json` of a store. Throws FileError, and OptionError for what
 * cannot be used, with the number of its line; keys that can be guessed, and keys themselves, are never in a message.
 */
export async function readKeyFile(path: string, defaults: ImportDefaults): Promise<NewKey[]> {
  const text = new TextDecoder().decode(await readInput(path)).replace(/^\ufeff/, '');
  const name = sourceName(path);
  return text.trimStart().startsWith('{') ? [...readKeyEntries(name, text)] : readRows(name, text, defaults);
}

async function readRows(name: string, text: string, defaults: ImportDefaults): Promise<NewKey[]> {
  const { default: Papa } = await loadPackage('papaparse', name, () => import('papaparse'));
  const { data, meta } = Papa.parse<Row>(text, {
    header: true,
    skipEmptyLines: true,
    transform: (cell) => cell.trim(),
    transformHeader: (column) => column.trim().toLowerCase(),
  });
  const columns = meta.fields ?? [];
  for (const column of columns) {
    if (COLUMNS.some((known) => known === column)) continue;
    const nearest = nearestName(column, COLUMNS);
    const problem = `unknown column${nearest === undefined ? '' : `, the nearest is ${nearest}`}`;
    throw new OptionError({ subject: name, problem, received: column, allowed: COLUMNS.join(', ') });
  }
  if (!columns.includes('key') && !columns.includes('key_hash')) {
    throw new OptionError({
      subject: name,
      problem: 'has no column of keys',
      allowed: 'a header with key, or key_hash',
    });
  }
  if (data.length === 0)
    throw new OptionError({ subject: name, problem: 'has no keys', allowed: 'a line for each key' });
  return data.map((row, i) => within(`${name}, key ${i + 1}`, () => toNewKey(row, defaults)));
}

function toNewKey(row: Row, defaults: ImportDefaults): NewKey {
  const { key, key_hash: keyHash, id, note } = row;
  if (!key === !keyHash) {
    throw new OptionError({
      subject: 'key',
      problem: 'is neither a key nor a hash, or both',
      allowed: 'one of key and key_hash',
    });
  }
  if (key) assertStrong(key);
  const owner = row.owner || defaults.owner;
  if (owner === undefined)
    throw new OptionError({ subject: 'owner', problem: 'missing', allowed: 'a column owner, or --owner' });
  return {
    owner,
    downscaling: row.downscaling ? read('downscaling', row.downscaling, flag) : defaults.downscaling,
    ...(key ? { key } : { keyHash: keyHash?.toLowerCase() }),
    id: id || undefined,
    note: note || undefined,
    starts: row.starts ? read('starts', row.starts, timeText) : undefined,
    expires: row.expires ? read('expires', row.expires, timeText) : undefined,
    rate: row.rate ? read('rate', row.rate, rateQuota) : undefined,
    dailyQuota: row.quota ? read('quota', row.quota, quotaNumber) : undefined,
  };
}

function flag(text: string): boolean {
  if (/^(true|yes|1)$/i.test(text)) return true;
  if (/^(false|no|0)$/i.test(text)) return false;
  throw new InvalidArgumentError('Expected true or false.');
}

/** Reads a cell as the option of the same name is read. */
function read<T>(column: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const allowed = error.message.replace(/^Expected /, '').replace(/\.$/, '');
    throw new OptionError({ subject: column, problem: 'cannot be used', received: text, allowed });
  }
}

/** Says which key an error is about. */
function within<T>(subject: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isPlumecastError(error) || error.tag !== 'option') throw error;
    const { subject: part, problem, received, allowed } = error;
    throw new OptionError({ subject, problem: `${part} ${problem}`, received, allowed });
  }
}
