import { arrowFile, arrowStream } from './arrow/arrow-format.js';
import { csv } from './csv/csv-format.js';
import type { FileFormat, TableWriter } from './format.js';
import { grib } from './grib/grib-format.js';
import { kerchunk } from './kerchunk/kerchunk-format.js';
import { nasaPower } from './nasa-power/nasa-power-format.js';
import { netcdf3 } from './netcdf3/netcdf3-format.js';
import { netcdf4 } from './netcdf4/netcdf4-format.js';
import { openMeteoJson } from './open-meteo/open-meteo-format.js';
import { geoParquet, parquet } from './parquet/parquet-format.js';
import { json, jsonLines } from './text/json-format.js';
import { xlsx } from './xlsx/xlsx-format.js';
import { zarr } from './zarr/zarr-format.js';

/**
 * The formats that are read, in the order in which the first bytes of a file are compared with them: text comes last.
 * Their readers are loaded when a file is opened.
 */
export const FORMATS = [
  arrowFile,
  arrowStream,
  parquet,
  netcdf3,
  netcdf4,
  grib,
  zarr,
  kerchunk,
  xlsx,
  nasaPower,
  csv,
  openMeteoJson,
] as const satisfies readonly FileFormat[];

/*
 * The same as texts list them. The command reads all of them; functions of the library read tables or arrays.
 */

export const TABLE_FORMATS = /* @__PURE__ */ listed('table', ' (also gzipped)');
export const ARRAY_FORMATS = /* @__PURE__ */ listed('arrays');
export const READABLE_FORMATS = /* @__PURE__ */ [TABLE_FORMATS, ARRAY_FORMATS].join(', ');
/** The same in a few words, for help. */
export const FILES = /* @__PURE__ */ shortList();

function listed(kind: FileFormat['kind'], after = ''): string {
  const names = formatsOf(kind).map(({ listed, words }) => listed ?? words);
  return [...new Set(names)].join(', ') + after;
}

function shortList(): string {
  const names = [...formatsOf('arrays'), ...formatsOf('table')].map(({ short, words }) => short ?? words);
  return `${[...new Set(names)].join(', ').replace(/, ([^,]*)$/, ' or $1')} files`;
}

function formatsOf(kind: FileFormat['kind']): readonly FileFormat[] {
  return FORMATS.filter((format) => format.kind === kind);
}

/** What the names of files of these formats end with. */
export function endingsOf(formats: readonly FileFormat[]): RegExp {
  const endings = formats.flatMap(({ endings }) => endings).map((ending) => ending.replaceAll('.', '\\.'));
  return new RegExp(`\\.(${endings.join('|')})$`, 'i');
}

/**
 * The formats that tables are written in; `arrow` is an Arrow IPC file, `jsonl` has a JSON object a line, `geoparquet` is
 * Parquet with a column of points, `xlsx` a workbook of Excel.
 */
export const WRITERS = {
  csv: csv.write,
  json,
  jsonl: jsonLines,
  arrow: arrowFile.write,
  'arrow-stream': arrowStream.write,
  parquet: parquet.write,
  geoparquet: geoParquet,
  xlsx: xlsx.write,
} as const satisfies Readonly<Record<string, TableWriter>>;

/** The names of the formats that tables are written in. */
export type TableFormat = keyof typeof WRITERS;
