import type { ValueOptions } from '../input/input-request.js';
import type { OptionRows } from './library-options.js';
import { boundingBox, coordinateList, missingNumbers, plainNumber, textList } from './option-values.js';

/*
 * Options about what is in files, which most commands share.
 */

/** What files do not state about their values, or state wrongly. */
export const VALUES = {
  units: {
    value: '<units>',
    text: 'units of values that do not state them: K, "kg m-2 s-1"',
    example: '--units "kg m-2 s-1"',
  },
  model: {
    value: '<name>',
    text: 'the model to read, if a table has columns of several: icon_seamless_eps',
    example: '--model icon_seamless_eps',
  },
  stamps: {
    value: '<which>',
    text: 'what a time stands for: the start, middle or end of its step, or an instant (default: by the evidence of the file)',
    example: '--stamps end',
  },
  accumulation: {
    value: '<how>',
    text: 'what amounts count: each step, since the start of the run, or since resets (default: as the file states)',
    example: '--accumulation since-start',
  },
  missing: {
    value: '<numbers>',
    text: 'numbers that stand for missing values: -9999; may be repeated',
    read: missingNumbers,
    example: '--missing -9999,-99.9',
  },
  sort: { text: 'sort the rows of tables by place, member and day', example: '--sort' },
  sheet: {
    value: '<name>',
    text: 'the sheet of an Excel workbook (default: the first one in sight)',
    example: '--sheet Weather',
  },
  decimal: { value: '<mark>', text: 'the decimal mark of CSV, if that is not clear', example: '--decimal ,' },
  dateFormat: {
    value: '<form>',
    text: 'the form of dates with the year last: dd.mm.yyyy, mm/dd/yyyy (default: by a day above 12)',
    example: '--date-format dd.mm.yyyy',
  },
  calendar: {
    value: '<name>',
    text: 'calendar of the dates, if the data do not state it (default: the real one)',
    example: '--calendar noleap',
  },
  array: { value: '<name>', text: 'the array of a gridded file, if it has several', example: '--array tp' },
  coordinates: {
    value: '<names>',
    text: 'arrays that hold latitude and longitude in degrees: latitude=y,longitude=x',
    read: coordinateList,
    example: '--coordinates latitude=y,longitude=x',
  },
  init: {
    value: '<time>',
    text: 'the run of a gridded file that holds several: 2026-03-02 or 2026-03-02T12:00:00Z; all: one lagged ensemble',
    example: '--init 2026-03-02T12:00:00Z',
  },
  memberDimension: {
    value: '<name>',
    text: 'the dimension of members, if its name does not show it: record',
    example: '--member-dimension record',
  },
  bbox: {
    value: '<box>',
    text: 'only cells, or places of tables, within south,west,north,east in degrees: 35,-10,60,30',
    read: boundingBox,
    example: '--bbox 35,-10,60,30',
  },
  ids: {
    value: '<list>',
    text: 'only the places with these ids: F001,F003',
    read: textList,
    example: '--ids F001,F003',
  },
  timeZone: {
    value: '<zone>',
    text: 'the zone whose days are made of time steps, and of which daily values are: Europe/Berlin, +05:30 (default: UTC)',
    example: '--time-zone Europe/Berlin',
  },
  dayStart: {
    value: '<time>',
    text: 'when days begin, by the clocks of the zone: 06 or 06:30; a day has the date on which it begins (default: 00)',
    example: '--day-start 06',
  },
  hours: {
    value: '<from-to>',
    text: 'the hours of each day that count, by the clocks of the zone: 06-18; 18-06 belongs to the date on which it begins',
    example: '--hours 06-18',
  },
  splitExtremes: {
    text: 'count minima and maxima of a time step that lies in two days for both',
    example: '--split-extremes',
  },
  timeZones: {
    value: '<zones>',
    text: 'the zone of each place: the name of a column, or a table of id and time_zone, whose name has a point or a slash',
    example: '--time-zones zones.csv',
  },
  virtualChunks: {
    value: '<list>',
    text: 'where chunks may lie that Icechunk or references name: addresses, absolute paths',
    read: textList,
    example: '--virtual-chunks s3://noaa-gefs-pds/',
  },
  missingChunks: {
    value: '<what>',
    text: 'what chunks of Zarr are that the store lacks: absent, missing values; or fill, its fill value (default: absent)',
    example: '--missing-chunks fill',
  },
} satisfies OptionRows<ValueOptions>;

/** The points and regions for which files of arrays give values. */
export const PLACES = {
  points: {
    value: '<file>',
    text: 'points of a gridded file: CSV, Parquet or GeoJSON of id, latitude, longitude, elevation',
    example: '--points farms.csv',
  },
  pointMethod: {
    value: '<how>',
    text: 'whether points have the nearest cell, or bilinear values of the four around (default: nearest)',
    example: '--point-method bilinear',
  },
  landMask: {
    value: '<file>',
    text: 'the share of land in each cell: points have the nearest cell of land within a grid step',
    example: '--land-mask lsm.nc',
  },
  lapseRate: {
    value: '<K/km>',
    text: "temperature at the points' elevation, by so many kelvin per kilometre: 6.5",
    read: plainNumber,
    example: '--lapse-rate 6.5',
  },
  modelElevation: {
    value: '<file>',
    text: 'the height of the surface in each cell for the lapse rate, if the file does not hold it',
    example: '--model-elevation orography.nc',
  },
  regions: {
    value: '<file>',
    text: 'regions of a gridded file, weighted by area: GeoJSON or TopoJSON with names, or a mask as NetCDF or Zarr',
    example: '--regions catchments.geojson',
  },
  regionName: {
    value: '<name>',
    text: 'the property with the names of regions (default: name, else id)',
    example: '--region-name HYBAS_ID',
  },
  regionStatistic: {
    value: '<what>',
    text: 'the mean, min or max of the cells of a region, or of --bbox, for each member and day (default: mean)',
    example: '--region-statistic max',
  },
  areaCondition: {
    value: '<condition>',
    text: 'the share of the area of a region, or of --bbox, whose daily values fulfil, say, ">20"',
    example: '--area-condition ">20"',
  },
  minAreaShare: {
    value: '<share>',
    text: 'the least share of the area of a region that must have data (default: 0.5)',
    read: plainNumber,
    example: '--min-area-share 0.8',
  },
  mean: { text: 'the mean over the box of --bbox, weighted by area', example: '--mean' },
  regionWeights: {
    value: '<file>',
    text: 'keep the weights of the cells of regions in this Arrow file: made where it is not there, else used',
    example: '--region-weights catchments.arrow',
  },
} satisfies OptionRows<ValueOptions>;
