import {
  assertKnownKeys,
  assertShape,
  type Choice,
  checkValues,
  isPlainObject,
  type OptionSchema,
} from '../../check/option-checks.js';
import { ACCUMULATIONS, type Accumulation } from '../../ensemble/accumulation.js';
import { STAMPS, type Stamps } from '../../ensemble/daily-steps.js';
import { OptionError, unusable } from '../../errors.js';
import { HORIZONS, PRODUCTS, type Product } from '../../variable/availability.js';
import type { ArchivePart, ArchiveStore, ZarrArchive } from './archive-options.js';

/** How the arrays of a part are read, checked. */
export interface PartOptions extends Omit<ArchivePart, 'store' | 'stamps' | 'accumulation'> {
  readonly stamps?: Stamps | Readonly<Record<string, Stamps>>;
  readonly accumulation?: Accumulation;
}

/** A part that is to be opened, and its product. */
export interface NamedPart extends PartOptions, Pick<ArchivePart, 'store'> {
  readonly product: Product;
  /** Whether its group may be absent. */
  readonly isOptional: boolean;
}

interface StepOptions extends Pick<ArchivePart, 'accumulation'> {
  readonly stamps?: Choice<Stamps>;
}

const STEP_OPTIONS = {
  stamps: { choices: STAMPS },
  accumulation: { choices: ACCUMULATIONS },
} satisfies OptionSchema<StepOptions>;

const ARCHIVE = ['forecast', 'history', 'climatology', 'elevation'];
const PART = ['store', 'group', 'arrays', 'units', 'init', 'stamps', 'accumulation'];

/** Whether an archive is given as a single store. */
export function isStore(archive: object | string): archive is ArchiveStore {
  return (
    typeof archive === 'string' ||
    archive instanceof URL ||
    (typeof archive === 'object' && archive !== null && 'get' in archive && typeof archive.get === 'function')
  );
}

/**
 * The parts of an archive: in a single store, the groups named after them. Throws OptionError for what is not an
 * archive.
 */
export function archiveParts(archive: ArchiveStore | ZarrArchive): readonly NamedPart[] {
  if (isStore(archive)) {
    return PRODUCTS.map((product) => ({ product, store: archive, group: product, isOptional: true }));
  }
  assertKnownKeys(archive, ARCHIVE, 'archive');
  assertShape('archive', archive, { climatology: 'function?', elevation: 'function?' });
  const { forecast = {}, history } = archive;
  assertKnownKeys(forecast, HORIZONS);
  const given = [...HORIZONS.map((horizon) => [horizon, forecast[horizon]] as const), ['history', history] as const];
  const parts = given.flatMap(([product, part]) => (part === undefined ? [] : [namedPart(product, part)]));
  if (parts.length > 0) return parts;
  const allowed = 'a store for a forecast horizon or the history, such as { history: "https://..." }';
  throw new OptionError({ subject: 'archive', problem: 'names no store', allowed });
}

function namedPart(product: Product, given: ArchiveStore | ArchivePart): NamedPart {
  if (isStore(given)) return { product, store: given, isOptional: false };
  assertKnownKeys(given, PART, product);
  assertShape(product, given, { group: 'any text?', arrays: 'object?', units: 'object?', init: 'any text?' });
  if (given.units !== undefined && !isPlainObject(given.units))
    throw unusable(`${product}.units`, given.units, 'units by the slugs of variables');
  if (given.init === 'all') throw unusable(`${product}.init`, given.init, 'the time of one run, which a service reads');
  if (!isStore(given.store)) throw unusable(`${product}.store`, given.store, 'a URL or a Zarr store');
  const { stamps: listed } = given;
  const isListed = isPlainObject(listed);
  for (const stamps of isListed ? Object.values(listed) : [])
    checkValues<StepOptions, typeof STEP_OPTIONS>({ stamps }, STEP_OPTIONS);
  const word = isListed ? undefined : listed;
  const { stamps, accumulation } = checkValues<StepOptions, typeof STEP_OPTIONS>(
    { ...given, stamps: word },
    STEP_OPTIONS,
  );
  const ofVariables = listed as Readonly<Record<string, Stamps>>;
  return { ...given, stamps: isListed ? ofVariables : stamps, accumulation, product, isOptional: false };
}
