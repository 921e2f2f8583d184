import type { TableFormat } from '../formats/encode-tables.js';

/** The formats that results of a batch are written in. */
export type BatchFormat = TableFormat | 'netcdf';

/** The endings of files of results. */
export const ENDINGS: Readonly<Record<BatchFormat, string>> = {
  arrow: '.arrow',
  parquet: '.parquet',
  csv: '.csv',
  json: '.json',
  netcdf: '.nc',
};

export const BATCH_FORMATS = Object.keys(ENDINGS) as readonly BatchFormat[];
