import type { Table } from 'apache-arrow';
import { JsonFields } from '../../../check/json-fields.js';
import { assertKnownKeys } from '../../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../../../check/work.js';
import { isDegenerate } from '../../../climate/category-limits.js';
import type { ClimateWindows, Climatology } from '../../../climate/climatology.js';
import { climateWindows } from '../../../climate/recurring-windows.js';
import type { FloatArray } from '../../../core/number-arrays.js';
import { DataError, isPlumecastError } from '../../../errors.js';
import { readStatistic } from '../../../statistics/result-column.js';
import {
  columnsOfLabels,
  createTable,
  flags,
  type NewColumn,
  numbers,
  textDictionary,
  texts,
} from '../../../table/build/create-table.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import { type ArrayReader, arrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import { cellAxes } from '../cells/cell-axes.js';
import { storedPlaces } from '../cells/cell-places.js';
import { arrayDimensions } from '../coordinates.js';
import { assertArrayFile } from '../grid-options.js';
import { isClimatologyFile, TABLE_METADATA } from './climatology-netcdf.js';
import { periodOfCode } from './climatology-time.js';
import { columnValues, statisticColumns } from './statistic-columns.js';

/** The approximate number of values of a table. */
const TABLE_VALUES = 2_097_152;

/**
 * Reads the tables of a NetCDF file of a climatology, as `plumecast climatology` writes it: the rows, columns and
 * metadata of the original `climatologyTable`, some places at a time; joined, `readClimatology` reads them. The caller
 * closes the file. Throws DataError where the file does not hold a climatology, or is invalid.
 */
export async function* climatologyTables(file: ArrayFile, options: WorkOptions = {}): AsyncGenerator<Table> {
  const { work, others } = beginWork(options, 'rows');
  assertKnownKeys(others, WORK_KEYS);
  assertArrayFile(file);
  yield* work.stream(storedTables(file, work), ({ numRows }) => numRows);
}

async function* storedTables(file: ArrayFile, work: Work): AsyncGenerator<Table> {
  const { source, arrays } = file;
  const reader = arrayReader(file, undefined, work);
  const mean = [...arrays.values()].find(({ name }) => name.endsWith('_mean'));
  if (!isClimatologyFile(file) || mean === undefined) {
    throw new DataError({
      source,
      problem: 'holds no climatology',
      allowed: 'a file that plumecast climatology wrote',
    });
  }
  const metadata = readMetadata(file);
  const { name: along, keys } = await readPeriods(reader, metadata);
  const others = arrayDimensions(file, mean).filter(({ name }) => name !== along);
  const { grid, y, x } = await cellAxes(reader, mean, others);
  const axes = { name: along, length: keys.length, y: y?.name, x: x?.name, width: x?.length ?? 1 };
  const columns = await statisticColumns(reader, mean.name.slice(0, -'_mean'.length));
  const labels = {
    variable: textDictionary([metadata.get('variable') ?? null]),
    units: textDictionary([metadata.get('units') ?? null]),
    period: textDictionary(keys),
  };
  const rows = y?.length ?? 1;
  const step = Math.max(1, Math.floor(TABLE_VALUES / (axes.width * keys.length * columns.length)));
  for (let row = 0; row < rows; row += step) {
    const count = Math.min(step, rows - row);
    const values: NewColumn[] = [];
    for (const column of columns) {
      values.push(await columnValues(column, axes, { row, count }));
      await work.pause();
    }
    const cells = count * axes.width;
    const { latitude, longitude, labels: ofPlaces } = storedPlaces(grid, row * axes.width, cells);
    const length = cells * keys.length;
    const perRow = (degrees: Float64Array) =>
      Float64Array.from({ length }, (_, index) => degrees[Math.floor(index / keys.length)]);
    yield createTable(
      [
        texts('variable', new Int32Array(length), labels.variable),
        texts('units', new Int32Array(length), labels.units),
        numbers('latitude', perRow(latitude)),
        numbers('longitude', perRow(longitude)),
        ...columnsOfLabels(
          ofPlaces,
          Int32Array.from({ length }, (_, i) => ofPlaces?.of[Math.floor(i / keys.length)] ?? 0),
        ),
        texts(
          'period',
          Int32Array.from({ length }, (_, index) => index % keys.length),
          labels.period,
        ),
        ...values,
        degenerateColumn(values, length),
      ],
      metadata,
    );
  }
}

/** Creates the column that states which entries have limits that coincide: see `isDegenerate`. */
function degenerateColumn(columns: readonly NewColumn[], length: number): NewColumn {
  const limits = columns
    .filter((column) => readStatistic(column)?.kind === 'limit')
    .map(({ data }) => data.values as FloatArray);
  const climatology = { limits } as unknown as Climatology;
  return flags(
    'degenerate',
    Uint8Array.from({ length }, (_, entry) => (isDegenerate(climatology, entry) ? 1 : 0)),
  );
}

/** Reads the periods of the year, and the name of their dimension. */
async function readPeriods(reader: ArrayReader, metadata: ReadonlyMap<string, string>) {
  const period = reader.file.arrays.get('period') as StoredArray;
  const stated = metadata.get('granularity');
  let granularity: ClimateWindows;
  try {
    granularity = climateWindows(stated ?? '');
  } catch (cause) {
    throw new DataError({
      ...{ source: reader.file.source, problem: 'does not state the granularity of its climatology', cause },
      ...{ received: stated, allowed: 'an attribute granularity: daily, weekly, monthly, or other windows' },
    });
  }
  const codes = await reader.numbers(period);
  return { name: period.dimensions[0], keys: Array.from(codes, (code) => periodOfCode(code, granularity)) };
}

/** Reads the metadata of the table that a file was created from. */
function readMetadata({ source, attributes }: ArrayFile): Map<string, string> {
  try {
    const text = textAttribute(attributes, TABLE_METADATA) ?? '';
    const fields = JsonFields.parse(text, source, `a JSON object as attribute ${TABLE_METADATA}`);
    return new Map(fields.names.map((name) => [name, fields.text(name)]));
  } catch (cause) {
    if (!isPlumecastError(cause, 'format')) throw cause;
    const { problem, received, allowed } = cause;
    throw new DataError({ source, column: TABLE_METADATA, problem, received, allowed, cause });
  }
}
