import type { Attributes, AttributeValue } from '../../array/array-file.js';

/** Keys that a file states elsewhere, or that only concern tables. */
const EXCLUDED = [
  'Conventions',
  'calendar',
  'pandas',
  'ARROW:schema',
  'geo',
  'variable',
  'units',
  'member_names',
  'latitude',
  'longitude',
];
/** Attributes of every file, which state nothing about its content. */
const GENERAL = ['Conventions', 'history'];
const NAME = /^[A-Za-z_][A-Za-z0-9_.@+-]*$/;

/**
 * Creates the global attributes of a file: its conventions, the texts of the input, and what was done, as the last line
 * of `history`, without the time, so that the same input gives the same file.
 */
export function fileAttributes(metadata: ReadonlyMap<string, string>, title: string): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>([['Conventions', 'CF-1.8']]);
  attributes.set('title', metadata.get('title') ?? title);
  const before = metadata.get('history');
  attributes.set('history', `${before === undefined ? '' : `${before}\n`}plumecast: ${title}`);
  for (const [key, value] of metadata) {
    if (!attributes.has(key) && !EXCLUDED.includes(key) && NAME.test(key)) attributes.set(key, value);
  }
  return attributes;
}

/** The texts from which `fileAttributes` created the attributes of a file, without a title that it made itself. */
export function textsOfFile(attributes: Attributes): Map<string, string> {
  const history = String(attributes.get('history') ?? '');
  const isOwn = (name: string, value: unknown) => name === 'title' && history.endsWith(`plumecast: ${value}`);
  return new Map(
    [...attributes]
      .filter(([name, value]) => !GENERAL.includes(name) && !isOwn(name, value))
      .map(([name, value]) => [name, String(value)]),
  );
}
