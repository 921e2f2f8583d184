/*
 * The formats that are read, as messages list them. The command reads all of them; functions of the library read tables
 * or arrays.
 */

export const TABLE_FORMATS = 'Arrow IPC (file or stream), Parquet, CSV, JSON of Open-Meteo (also gzipped)';
export const ARRAY_FORMATS = 'NetCDF3 (classic, 64-bit offset or 64-bit data), NetCDF4 or other HDF5, GRIB';
export const READABLE_FORMATS = `${TABLE_FORMATS}, NetCDF3, NetCDF4 or other HDF5, GRIB, Zarr`;

/** The same in a few words, for help. */
export const FILES = 'NetCDF, GRIB, Zarr, Arrow, Parquet or CSV files';
export const ALL_FILES = `${FILES} or the JSON of Open-Meteo`;
