import { type FormatError, isPlumecastError } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import type { IndexedField } from './cube/indexed-field.js';
import type { GribGrid } from './grid/grid.js';
import { readGrid } from './grid/read-grid.js';
import type { GribField } from './messages.js';
import { findParameter } from './product/parameter.js';
import { readProduct, templateNumber } from './product/product.js';
import { scanMessages } from './scan-messages.js';

/** The fields of files, and what could not be read. */
export interface FieldIndex {
  readonly fields: IndexedField[];
  /** Messages that are damaged: what they hold is not known. */
  readonly faults: FormatError[];
  /** What was left out, with the number of fields; for people. */
  readonly leftOut: Map<string, number>;
  /** Grids by the bytes of their section 3. */
  readonly grids: Map<string, GribGrid | FormatError>;
}

/** An index without fields. */
export function createIndex(): FieldIndex {
  return { fields: [], faults: [], leftOut: new Map(), grids: new Map() };
}

/** Adds the fields of a file to an index, from the headers of its messages. Throws FileError. */
export async function addFields(index: FieldIndex, file: number, access: RandomAccess): Promise<void> {
  for await (const found of scanMessages(access)) {
    if (found.kind === 'fault') index.faults.push(found.error);
    else if (found.edition === 1) leaveOut(index, 'messages of edition 1');
    else addField(index, file, found);
  }
}

function addField(index: FieldIndex, file: number, field: GribField): void {
  try {
    const product = readProduct(field);
    const grid = gridOf(index, field);
    if (product === undefined) leaveOut(index, `product definition template 4.${templateNumber(field)}`);
    else if (!('places' in grid)) leaveOut(index, grid.message);
    else index.fields.push({ file, field, product, grid, parameter: findParameter(product) });
  } catch (error) {
    if (!isPlumecastError(error, 'format')) throw error;
    index.faults.push(error);
  }
}

function leaveOut({ leftOut }: FieldIndex, what: string): void {
  leftOut.set(what, (leftOut.get(what) ?? 0) + 1);
}

function gridOf({ grids }: FieldIndex, field: GribField): GribGrid | FormatError {
  const key = latin1.decode(field.section3);
  const known = grids.get(key);
  if (known !== undefined) return known;
  let grid: GribGrid | FormatError;
  try {
    grid = readGrid(field);
  } catch (error) {
    if (!isPlumecastError(error, 'format')) throw error;
    grid = error;
  }
  grids.set(key, grid);
  return grid;
}

const latin1 = new TextDecoder('latin1');
