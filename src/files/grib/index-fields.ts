import { type FormatError, isPlumecastError } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import type { GribFiles } from './cube/grib-files.js';
import type { IndexedField } from './cube/indexed-field.js';
import { readGrib1Grid } from './grid/grib1-grid.js';
import type { GribGrid } from './grid/grid.js';
import { readGrid } from './grid/read-grid.js';
import type { Grib1Field, GribField, GribGap } from './messages.js';
import { readGrib1Product } from './product/grib1-product.js';
import { findParameter } from './product/parameter.js';
import { type Product, readProduct, templateNumber } from './product/product.js';
import { type Scanned, scanMessages } from './scan-messages.js';

/** The fields of files, and what could not be read. */
export interface FieldIndex {
  readonly fields: IndexedField[];
  /** Messages that are damaged: what they hold is not known. Where the rest of a file is not read, that is first. */
  readonly faults: FormatError[];
  /** Bytes outside of messages, and in how many files. */
  readonly gaps: Map<GribGap['what'], Gap>;
  /** What was left out, with the number of fields; for people. */
  readonly leftOut: Map<string, number>;
  /** Grids by the bytes that describe them. */
  readonly grids: Map<string, GribGrid | FormatError>;
  /** The member of a file whose messages do not state one. */
  memberOf(file: number): number | undefined;
}

/** Bytes outside of messages, and the numbers of the files with them. */
export interface Gap {
  bytes: number;
  readonly files: Set<number>;
}

/** An index without fields. */
export function createIndex({ memberOf }: Pick<GribFiles, 'memberOf'>): FieldIndex {
  const empty = { fields: [], faults: [], gaps: new Map(), leftOut: new Map(), grids: new Map() };
  return { ...empty, memberOf: memberOf ?? (() => undefined) };
}

/** Files whose headers are read at the same time: most of it is waiting for them to open. */
const FILES_AT_ONCE = 16;
/** The first of these, by which it becomes known what names in index files mean. */
const FIRST_FILES = 2;

/** Finds the fields of all files, from the headers of all messages. Throws FileError. */
export async function findFields(files: GribFiles): Promise<FieldIndex> {
  const index = createIndex(files);
  await readFiles(files, scanAll, (file, scanned) => addMessages(index, file, scanned));
  return index;
}

/** Reads some files at a time, and passes what was read on in their order. Throws what `read` and `add` throw. */
export async function readFiles<T>(
  files: GribFiles,
  read: (access: RandomAccess, file: number) => Promise<T>,
  add: (file: number, result: T) => Promise<void> | void,
): Promise<void> {
  for (let first = 0; first < files.count; ) {
    const most = first === 0 ? FIRST_FILES : FILES_AT_ONCE;
    const numbers = Array.from({ length: Math.min(most, files.count - first) }, (_, i) => first + i);
    const results = await Promise.allSettled(numbers.map((file) => files.use(file, (access) => read(access, file))));
    for (const [i, result] of results.entries()) {
      if (result.status === 'rejected') throw result.reason;
      await add(numbers[i], result.value);
    }
    first += numbers.length;
  }
}

/** All fields and faults of a file. Throws FileError. */
export async function scanAll(access: RandomAccess): Promise<Scanned[]> {
  const all: Scanned[] = [];
  for await (const found of scanMessages(access)) all.push(found);
  return all;
}

/** Adds what was found in a file to an index. */
export function addMessages(index: FieldIndex, file: number, messages: readonly Scanned[]): void {
  for (const found of messages) {
    if (found.kind === 'field') addField(index, file, found);
    else if (found.kind === 'gap') addGap(index, file, found);
    else if (found.isEnd) index.faults.unshift(found.error);
    else index.faults.push(found.error);
  }
}

function addGap({ gaps }: FieldIndex, file: number, { bytes, what }: GribGap): void {
  const all: Gap = gaps.get(what) ?? { bytes: 0, files: new Set() };
  all.bytes += bytes;
  all.files.add(file);
  gaps.set(what, all);
}

function addField(index: FieldIndex, file: number, field: GribField | Grib1Field): void {
  try {
    const stated = readFieldProduct(field);
    const product = typeof stated === 'string' ? stated : withMember(stated, index.memberOf(file));
    const grid = gridOf(index, field);
    if (typeof product === 'string') leaveOut(index, product);
    else if (!('places' in grid)) leaveOut(index, grid.message);
    else index.fields.push({ file, field, product, grid, parameter: findParameter(product) });
  } catch (error) {
    if (!isPlumecastError(error, 'format')) throw error;
    index.faults.push(error);
  }
}

/** What a field is, or why it is not read. Throws FormatError. */
export function readFieldProduct(field: GribField | Grib1Field): Product | string {
  if (field.edition === 1) return readGrib1Product(field);
  return readProduct(field) ?? `product definition template 4.${templateNumber(field)}`;
}

/** Code table 4.6: an unperturbed forecast, and a perturbed one. */
const [CONTROL, PERTURBED] = [1, 3];

/** A product with the member that its file is, where it states none. */
function withMember(product: Product, number: number | undefined): Product {
  if (number === undefined || product.member !== undefined) return product;
  return { ...product, member: { type: number === 0 ? CONTROL : PERTURBED, number } };
}

function leaveOut({ leftOut }: FieldIndex, what: string): void {
  leftOut.set(what, (leftOut.get(what) ?? 0) + 1);
}

function gridOf({ grids }: FieldIndex, field: GribField | Grib1Field): GribGrid | FormatError {
  const key = gridKey(field);
  const known = grids.get(key);
  if (known !== undefined) return known;
  let grid: GribGrid | FormatError;
  try {
    grid = field.edition === 1 ? readGrib1Grid(field) : readGrid(field);
  } catch (error) {
    if (!isPlumecastError(error, 'format')) throw error;
    grid = error;
  }
  grids.set(key, grid);
  return grid;
}

/** The bytes that describe a grid, as a text; with the centre where it decides what they mean. */
function gridKey(field: GribField | Grib1Field): string {
  if (field.edition === 2) {
    const { section1, section3 } = field;
    const isLambert = section3[12] === 0 && section3[13] === LAMBERT;
    return latin1.decode(section3) + (isLambert ? `, centre ${section1[5]} ${section1[6]}` : '');
  }
  const { section1, section2 } = field;
  const described = section2 === undefined ? section1[6] : latin1.decode(section2);
  return `edition 1, ${described}${section2?.[5] === LAMBERT_1 ? `, centre ${section1[4]}` : ''}`;
}

/** Lambert grids: the template of edition 2, and the type of data representation of edition 1. */
const [LAMBERT, LAMBERT_1] = [30, 3];

const latin1 = new TextDecoder('latin1');
