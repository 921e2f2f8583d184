import type { Dice } from './dice.js';
import type { ByteMutator } from './mutate-bytes.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const VALUES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    2,
    0.5,
    -0.5,
    1e9,
    1e15,
    1e300,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    '',
    '0',
    'NaN',
    'a',
    '<f8',
  ],
  ...['>i2', '|S10', '<M8[D]', '|O', 'float64', 'int8', 'string', 'C', 'F', 'zstd', 'gzip', 'blosc', 'crc32c', 'bytes'],
  ...[
    '0x7fc00000',
    '/',
    '..',
    '__proto__',
    'days since 2026-03-02',
    'months since 0000-00-00',
    'days since 99999-01-01',
  ],
  ...([[], {}, [0], [-1], [1e9, 1e9], [[]], [{}], { id: 'zlib' }, { name: 'gzip', configuration: {} }] as Json[]),
];

interface Place {
  readonly parent: Json[] | { [key: string]: Json };
  readonly key: string;
}

/**
 * A value of the document is another one, of another type or not there; numbers also are near or far from what they
 * were.
 */
const changeValue: ByteMutator = (bytes, dice) => {
  const document = parsed(bytes);
  if (document === undefined) return undefined;
  const places = [...placesIn(document)];
  if (places.length === 0) return encoded(dice.pick(VALUES));
  for (let left = dice.chance(0.8) ? 1 : 3; left > 0; left--) {
    const { parent, key } = dice.pick(places);
    const object = parent as { [key: string]: Json };
    const before = object[key];
    const kind = dice.below(10);
    if (kind === 0) remove(parent, key);
    else if (kind === 1 && Array.isArray(before)) before.push(before.length > 0 ? dice.pick(before) : 1);
    else if (kind === 2) object[key] = structuredClone(valueAt(dice.pick(places)));
    else if (kind === 3 && !Array.isArray(parent)) rename(object, key, dice);
    else if (kind <= 7 && typeof before === 'number') object[key] = otherNumber(before, dice);
    else object[key] = structuredClone(dice.pick(VALUES));
  }
  return encoded(document);
};

function valueAt({ parent, key }: Place): Json {
  return (parent as { [key: string]: Json })[key] ?? null;
}

function remove(parent: Place['parent'], key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

function rename(object: { [key: string]: Json }, key: string, dice: Dice): void {
  const value = object[key];
  delete object[key];
  object[dice.pick([`${key}x`, key.slice(1), '', dice.pick(Object.keys(object).concat('a'))])] = value;
}

function otherNumber(before: number, dice: Dice): number {
  const near = [before + 1, before - 1, before * 2, Math.floor(before / 2), -before, before + 0.5];
  return dice.pick([...near, before * 1000, before * 1e6, 0, 1e9, 2 ** 31, 2 ** 32 + before, 1e15, 2 ** 53, 1e300]);
}

function* placesIn(value: Json): Generator<Place> {
  if (value === null || typeof value !== 'object') return;
  for (const key of Object.keys(value)) {
    yield { parent: value, key };
    yield* placesIn((value as { [key: string]: Json })[key]);
  }
}

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function encoded(document: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}

export const JSON_MUTATORS: readonly ByteMutator[] = [changeValue];
