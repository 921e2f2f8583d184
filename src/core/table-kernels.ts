import { KernelModule, type Kernels } from './kernel-module.js';

/** The functions of the module of tables; `assembly/table/` draws the memory layouts. Addresses are bytes. */
interface TableExports {
  heapBase(): number;
  isAscii(text: number, length: number): number;
  findCells(text: number, length: number, delimiter: number, columns: number, ends: number, state: number): number;
  readNumbers(
    text: number,
    ends: number,
    columns: number,
    column: number,
    row: number,
    rows: number,
    mark: number,
    out: number,
    left: number,
    known: number,
  ): number;
  readTexts(
    text: number,
    ends: number,
    columns: number,
    column: number,
    row: number,
    rows: number,
    dictionary: number,
    codes: number,
  ): number;
  decompressSnappy(block: number, length: number, out: number, size: number): number;
  zstdScratch(): number;
  decompressZstd(block: number, length: number, out: number, size: number, scratch: number): number;
  decompressLz4(block: number, length: number, out: number, size: number, before: number): number;
  readLevels(at: number, end: number, max: number, out: number, count: number): number;
  readLists(
    repetition: number,
    definition: number,
    count: number,
    empty: number,
    rows: number,
    state: number,
    offsets: number,
    validity: number,
    levels: number,
  ): number;
  readDictionary4(at: number, end: number, entries: number, size: number, out: number, count: number): number;
  readDictionary8(at: number, end: number, entries: number, size: number, out: number, count: number): number;
  codeValues4: CodeValues;
  codeValues8: CodeValues;
  writeRuns(codes: number, count: number, width: number, out: number): number;
  compressSnappy(bytes: number, length: number, out: number, table: number): number;
  findPlaces(latitude: number, longitude: number, rows: number, starts: number): number;
  haveSameRows(days: number, members: number, a: number, b: number, count: number): number;
  areWithin(values: number, count: number, first: number, last: number): number;
  repeatCodes4: RepeatCodes;
  repeatCodes8: RepeatCodes;
  scatter4: ScatterValues;
  scatter8: ScatterValues;
  spread4: SpreadValues;
  spread8: SpreadValues;
}

type CodeValues = (
  values: number,
  count: number,
  most: number,
  slots: number,
  bits: number,
  entries: number,
  codes: number,
) => number;

type RepeatCodes = (values: number, codes: number, row: number, rows: number, period: number) => number;

type ScatterValues = (
  days: number,
  members: number,
  values: number,
  from: number,
  to: number,
  out: number,
  stride: number,
) => void;

type SpreadValues = (
  levels: number,
  full: number,
  values: number,
  missing: number,
  from: number,
  to: number,
  out: number,
  validity: number,
  at: number,
) => number;

/** An instance of the module that reads and writes tables, with its own memory. */
export type TableKernels = Kernels<TableExports>;

const tables = new KernelModule<TableExports>('tables', () => import('#table-wasm'));

/** Loads the module that reads tables. Throws CoreError where the runtime has no WebAssembly SIMD. */
export function loadTableKernels(): Promise<TableKernels> {
  return tables.load();
}

/** An instance to be given back by `giveTableKernels`. Throws as `loadTableKernels` does. */
export function takeTableKernels(): Promise<TableKernels> {
  return tables.take();
}

/** Gives an instance back, of whose memory nothing is used any more. */
export function giveTableKernels(tools: TableKernels): void {
  tables.give(tools);
}
