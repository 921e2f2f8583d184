import type { Attributes, AttributeValue } from '../../array/array-file.js';

/** What is told elsewhere in a file, or concerns tables only. */
const NOT_OF_FILES = [
  'Conventions',
  'calendar',
  'pandas',
  'ARROW:schema',
  'variable',
  'units',
  'member_names',
  'latitude',
  'longitude',
];
/** What is written of every file, and says nothing of its content. */
const OF_FILE = ['Conventions', 'history'];
const NAME = /^[A-Za-z_][A-Za-z0-9_.@+-]*$/;

/**
 * The attributes of a whole file: the conventions it follows, the texts that came with the input, and what was done, as the last line of
 * `history`. It says no time, so that the same input gives the same file.
 */
export function fileAttributes(metadata: ReadonlyMap<string, string>, title: string): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>([['Conventions', 'CF-1.8']]);
  attributes.set('title', metadata.get('title') ?? title);
  const before = metadata.get('history');
  attributes.set('history', `${before === undefined ? '' : `${before}\n`}plumecast: ${title}`);
  for (const [key, value] of metadata) {
    if (!attributes.has(key) && !NOT_OF_FILES.includes(key) && NAME.test(key)) attributes.set(key, value);
  }
  return attributes;
}

/** The texts that `fileAttributes` was given, as far as the attributes of a file tell: a title that it made itself is none. */
export function textsOfFile(attributes: Attributes): Map<string, string> {
  const history = String(attributes.get('history') ?? '');
  const isOwn = (name: string, value: unknown) => name === 'title' && history.endsWith(`plumecast: ${value}`);
  return new Map(
    [...attributes]
      .filter(([name, value]) => !OF_FILE.includes(name) && !isOwn(name, value))
      .map(([name, value]) => [name, String(value)]),
  );
}
