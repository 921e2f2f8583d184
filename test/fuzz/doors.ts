import { readFile } from 'node:fs/promises';
import type { Table, Vector } from 'apache-arrow';
import type { Core } from '../../src/core/load.js';
import { NUMBER_ARRAYS } from '../../src/core/number-arrays.js';
import { DataError } from '../../src/errors.js';
import type { ArrayValues, StoredArray } from '../../src/files/array/array-file.js';
import { DiskFile } from '../../src/files/disk-file.node.js';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { readTable } from '../../src/files/read-table.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { readInputTables } from '../../src/input/convert-input.js';
import { openInput, type TableInput } from '../../src/input/input.js';
import { inspectInput } from '../../src/input/inspect/inspect-input.js';
import { statisticsOfInput, TableStatistics } from '../../src/input/statistics-of-input.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { findVariable } from '../../src/variable/find-variable.js';
import { Digest } from './digest.js';
import { addFields } from './grib-door.js';
import type { Reader } from './seeds.js';

/** What came of a file at one door. */
export interface Result {
  /** Rows of tables, or elements of arrays. */
  readonly count: number;
  readonly digest: string;
}

export type Door = (core: Core, path: string) => Promise<Result>;

/** Elements of an array that are read here: a caller that reads one whole makes room for it. */
const MAX_ELEMENTS = 1_000_000;

/** The table of a file as it is, by reading it whole and part by part: these two agree. */
export const TABLE_DOORS: Readonly<Record<'readTable' | 'readTables', Door>> = {
  readTable: async (_, path) => resultOf([await readTable(await readFile(path), { source: path })]),
  readTables: (core, path) => resultOf(readTables(core, path)),
};

const ignore = () => {};

/** What else can be done with an input. */
const INPUT_DOORS: Readonly<Record<string, Door>> = {
  stats: (core, path) => resultOf(statisticsOfInput(core, path, { statistics: {}, values: {} }, ignore)),
  'stats --variable': (core, path) => {
    const variable = findVariable('precipitation');
    const statistics = { variable, granularity: 'weekly', partial: true } as const;
    return resultOf(statisticsOfInput(core, path, { statistics, values: { units: 'mm' } }, ignore));
  },
  inspect: async (core, path) => {
    const inspection = await inspectInput(core, path, { values: true, options: {} });
    const problem = inspection.variables.find((variable) => variable.problem !== undefined)?.problem;
    if (problem !== undefined) throw new DataError({ source: path, problem });
    const digest = new Digest();
    digest.add(JSON.stringify(inspection));
    return { count: 0, digest: digest.toString() };
  },
  convert: (core, path) => {
    const converted = async function* () {
      const input = await openInput(path, {}, ignore);
      try {
        yield* readInputTables(core, input, { variable: 'precipitation', values: { units: 'mm' } });
      } finally {
        await input.close();
      }
    };
    return resultOf(converted());
  },
};

const STREAM_DOORS: Readonly<Record<string, Door>> = {
  'stats in parts': (core, path) => {
    const tables = () => readTables(core, path);
    const close = async () => {};
    const input: TableInput = {
      ...{ kind: 'table', form: 'arrow-stream', source: path, path, report: ignore, areViews: true, tables, close },
      read: () => Promise.reject(new Error('it is read in parts')),
    };
    return resultOf(new TableStatistics(core, input, { statistics: {}, values: {} }).tables());
  },
};

/** The doors of each reader beside those that all tables pass. */
export const OTHER_DOORS: Readonly<Record<Reader, Readonly<Record<string, Door>>>> = {
  csv: { ...INPUT_DOORS, ...STREAM_DOORS },
  json: { ...INPUT_DOORS, ...STREAM_DOORS },
  'nasa-power': { ...INPUT_DOORS, ...STREAM_DOORS },
  parquet: { ...INPUT_DOORS, ...STREAM_DOORS },
  xlsx: { ...INPUT_DOORS, ...STREAM_DOORS },
  'arrow-file': {
    ...INPUT_DOORS,
    ...STREAM_DOORS,
    streamStatistics: (core, path) => resultOf(streamStatistics(core, readTables(core, path))),
  },
  'arrow-stream': {
    ...INPUT_DOORS,
    ...STREAM_DOORS,
    streamStatistics: async (core, path) => {
      const bytes = await readFile(path);
      return resultOf(streamStatistics(core, [bytes.subarray(0, 900), bytes.subarray(900)], { source: path }));
    },
  },
  netcdf3: { ...INPUT_DOORS, arrays },
  netcdf4: { ...INPUT_DOORS, arrays },
  zarr: { ...INPUT_DOORS, arrays },
  kerchunk: { ...INPUT_DOORS, arrays },
  grib: { fields },
};

async function arrays(_: Core, path: string): Promise<Result> {
  const file = await openArrays(path);
  try {
    const digest = new Digest();
    let count = 0;
    for (const array of file.arrays.values()) {
      const length = array.shape.reduce((product, along) => product * along, 1);
      count += length;
      digest.add(array.name);
      if (length <= MAX_ELEMENTS) await addArray(digest, array, length);
    }
    return { count, digest: digest.toString() };
  } finally {
    await file.close();
  }
}

async function fields(_: Core, path: string): Promise<Result> {
  const digest = new Digest();
  const access = await DiskFile.open(path);
  try {
    const count = await addFields(digest, access, MAX_ELEMENTS);
    return { count, digest: digest.toString() };
  } finally {
    await access.close();
  }
}

async function addArray(digest: Digest, array: StoredArray, length: number): Promise<void> {
  if (array.type === 'text') {
    for (const text of await array.readTexts()) digest.add(text);
    return;
  }
  const values: ArrayValues = new NUMBER_ARRAYS[array.type](length);
  const missing = await array.read({ start: array.shape.map(() => 0), count: array.shape }, values);
  digest.add(JSON.stringify(missing));
  for (const value of values) digest.add(value);
}

async function resultOf(tables: AsyncIterable<Table> | Iterable<Table>): Promise<Result> {
  const digest = new Digest();
  let count = 0;
  for await (const table of tables) {
    if (count === 0) for (const { name } of table.schema.fields) digest.add(name);
    count += table.numRows;
    addRows(digest, table);
  }
  return { count, digest: digest.toString() };
}

/** Row by row, so that it does not matter how rows are put together to tables. */
function addRows(digest: Digest, table: Table): void {
  const columns = table.schema.fields.map((_, index) => table.getChildAt(index));
  for (let row = 0; row < table.numRows; row++) {
    for (const column of columns) digest.add(valueAt(column, row));
  }
}

/** apache-arrow gives no value of times that are no safe integers. */
function valueAt(column: Vector | null, row: number): unknown {
  try {
    return column?.get(row);
  } catch {
    return 'unsafe';
  }
}
