import { type BombCodec, bomb } from './bombs.js';
import { Dice } from './dice.js';
import { ARROW_MUTATORS } from './mutate-arrow.js';
import { type ByteMutator, damage, joined, mutateBytes } from './mutate-bytes.js';
import { GRIB_MUTATORS, hideHead } from './mutate-grib.js';
import { JSON_MUTATORS } from './mutate-json.js';
import { PARQUET_MUTATORS } from './mutate-parquet.js';
import { TEXT_MUTATORS } from './mutate-text.js';
import { type Change, placeChange } from './places.js';
import { READERS, type Reader, type Seed } from './seeds.js';

/** A mutated file, or store. */
export interface Mutation {
  readonly seed: Seed;
  /** The files that changed. */
  readonly changes: ReadonlyMap<string, Change>;
  /** Whether only bytes changed that a checksum covers. */
  readonly isChecked: boolean;
  /** Whether something is hidden so that reading has to notice it. */
  readonly isHiding: boolean;
  /** Chooses the doors that it goes through. */
  readonly dice: Dice;
}

const SPECIAL: Partial<Record<Reader, readonly ByteMutator[]>> = {
  'arrow-file': ARROW_MUTATORS,
  'arrow-stream': ARROW_MUTATORS,
  csv: TEXT_MUTATORS,
  json: JSON_MUTATORS,
  parquet: PARQUET_MUTATORS,
  grib: GRIB_MUTATORS,
};
/** Bombs by the codec that names of stores state. */
const CHUNK_BOMBS: readonly (readonly [string, BombCodec])[] = [
  ['gzip', 'gzip'],
  ['zlib', 'zlib'],
  ['zstd', 'zstd'],
  ['lz4', 'lz4-numcodecs'],
];

/** The mutation with a number, of a reader's seeds: the same each time. */
export function mutate(reader: Reader, seeds: readonly Seed[], key: number, index: number): Mutation {
  const dice = new Dice([key, READERS.indexOf(reader), index]);
  const seed = pickSeed(seeds, dice);
  const isChecked = seed.checked.size > 0 && dice.chance(0.4);
  const other = dice.pick(seeds);
  const hiding = reader === 'grib' && dice.chance(0.1) ? hideMessage(seed, other, dice) : undefined;
  const changes = hiding ?? (isChecked ? damageChecked(seed, dice) : anyChange(reader, seed, dice, other));
  return { seed, changes, isChecked, isHiding: hiding !== undefined, dice };
}

/** Any seed; those that are hostile as they are take long, and come seldom. */
function pickSeed(seeds: readonly Seed[], dice: Dice): Seed {
  const seed = dice.pick(seeds);
  return (isBomb(seed) || isLarge(seed)) && dice.chance(0.97) ? pickSeed(seeds, dice) : seed;
}

function isBomb({ name }: Seed): boolean {
  return name.startsWith('bomb');
}

/** Very many columns, batches, row groups or members of gzip. */
function isLarge({ name }: Seed): boolean {
  return name.startsWith('large');
}

function damageChecked({ files, checked }: Seed, dice: Dice): Mutation['changes'] {
  const [file, regions] = dice.pick([...checked]);
  return new Map([[file, damage(files.get(file) as Uint8Array, dice, regions)]]);
}

/** The message of another file follows, without the beginning that readers look for. */
function hideMessage({ files }: Seed, other: Seed, dice: Dice): Mutation['changes'] | undefined {
  const hidden = hideHead(other.files.get('') as Uint8Array, dice);
  return hidden && new Map([['', joined(files.get('') as Uint8Array, hidden)]]);
}

function anyChange(reader: Reader, seed: Seed, dice: Dice, other: Seed): Mutation['changes'] {
  if ((isBomb(seed) || isLarge(seed)) && dice.chance(0.5)) return new Map();
  const single = seed.files.get('');
  if (single !== undefined) {
    return new Map([['', mutateBytes(single, dice, other.files.get('') as Uint8Array, SPECIAL[reader])]]);
  }
  const changes = new Map<string, Change>();
  for (let left = dice.chance(0.75) ? 1 : dice.between(2, 3); left > 0; left--) changeStore(seed, dice, other, changes);
  return changes;
}

/** One file of a store is mutated, most often its metadata; or gone, empty, another one, or a bomb. */
function changeStore(seed: Seed, dice: Dice, other: Seed, changes: Map<string, Change>): void {
  const names = [...seed.files.keys()];
  const documents = names.filter(isDocument);
  const name = dice.chance(0.6) ? dice.pick(documents) : dice.pick(names);
  const changed = changes.get(name);
  const bytes = changed instanceof Uint8Array ? changed : (seed.files.get(name) as Uint8Array);
  const kind = dice.below(15);
  if (kind === 0) changes.set(name, undefined);
  else if (kind === 1) changes.set(name, dice.chance(0.5) ? new Uint8Array() : dice.pick([...other.files.values()]));
  else if (kind === 2) {
    const two = dice.pick(names);
    changes.set(name, seed.files.get(two)).set(two, bytes);
  } else if (kind === 3 && !isDocument(name)) changes.set(name, bombFor(seed, dice));
  else if (kind >= 12) changes.set(...placeChange(seed.files, name, dice));
  else
    changes.set(
      name,
      mutateBytes(bytes, dice, dice.pick([...seed.files.values()]), isDocument(name) ? JSON_MUTATORS : []),
    );
}

function bombFor({ name }: Seed, dice: Dice): Uint8Array {
  const [, codec] = CHUNK_BOMBS.find(([text]) => name.includes(text)) ?? dice.pick(CHUNK_BOMBS);
  return bomb(codec);
}

function isDocument(name: string): boolean {
  return name.endsWith('.json') || /(^|\/)\.z/.test(name);
}
