import type { BatchPlan } from '../batch/batch-plan.js';
import type { BlendOptions } from '../blend/options.js';
import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import type { ClimatologyOptions } from '../climate/options.js';
import type { ValueOptions } from '../input/input-request.js';
import type { OptionRows } from './library-options.js';
import {
  bandLevel,
  boundingBox,
  columnRoleList,
  condition,
  conditionTexts,
  coordinateList,
  dateText,
  dayCounts,
  lastLeads,
  missingNumbers,
  plainNumber,
  point,
  quantileList,
  textList,
  threshold,
  yearSpan,
} from './option-values.js';

/*
 * The texts of options of the library in the help of commands.
 */

const QUANTILES = {
  quantiles: {
    value: '<list>',
    text: 'quantiles from 0 to 1 (default: 0.05,0.25,0.5,0.75,0.95)',
    read: quantileList,
    example: '--quantiles 0.1,0.5,0.9',
  },
  quantileType: {
    value: '<1..9>',
    text: 'sample quantile type of Hyndman and Fan (default: 7)',
    read: plainNumber,
    example: '--quantile-type 8',
  },
};
const POINT = {
  value: '<lat,lon>',
  text: 'only the place nearest to this point',
  read: point,
  example: '--point 37.30,-79.84',
};
const COLUMNS = {
  value: '<roles>',
  text: 'columns by role: date=day,member=run,value=mm,latitude=y,longitude=x,id=farm',
  read: columnRoleList,
  example: '--columns date=day,member=run,value=mm',
};

export const COMPRESSION = {
  value: '<name>',
  text: 'compression of the file (default: snappy in parquet, deflate in netcdf, zstd in zarr, none in arrow)',
  example: '--compression zstd',
};

export const BANDS = {
  value: '<level>',
  text: 'sampling error of mean, quantiles and shares for so many members, with this probability: 0.9 (q05_low,q05_high)',
  read: bandLevel,
  example: '--bands 0.9',
};

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
} satisfies OptionRows<ValueOptions>;

/** What to compute over members, and for which days and places. */
const MEMBERS = {
  ...QUANTILES,
  thresholds: {
    value: '<condition>',
    text: 'share of members with, say, ">20"; may be repeated',
    read: threshold,
    example: '--threshold ">20"',
  },
  spread: { text: 'standard deviation over members', example: '--spread' },
  startDate: {
    value: '<date>',
    text: 'first day to include, YYYY-MM-DD',
    read: dateText,
    example: '--start-date 2026-03-02',
  },
  endDate: {
    value: '<date>',
    text: 'last day to include, YYYY-MM-DD',
    read: dateText,
    example: '--end-date 2026-04-12',
  },
  partial: { text: 'keep incomplete windows at the ends of the data or dates', example: '--partial' },
  window: {
    value: '<rule>',
    text: "how the days of a window become one value (default: the variable's own rule); with it, any name is a variable",
    read: (text: string) => text,
    example: '--window max',
  },
  minMemberShare: {
    value: '<share>',
    text: 'minimum share of members that are not missing, 0 to 1 (default: 0.8)',
    example: '--min-member-share 0.5',
  },
  point: POINT,
} satisfies OptionRows<StatisticsAgainstOptions>;

/** What to compare with a climatology. */
export const COMPARISON = {
  exceed: {
    value: '<list>',
    text: 'share of members above these quantiles of the climatology',
    read: quantileList,
    example: '--exceed 0.9,0.95',
  },
  anomaly: { text: "difference of the mean from the climatology's mean", example: '--anomaly' },
} satisfies OptionRows<StatisticsAgainstOptions>;

/** Options of `plumecast stats`. */
export const STATISTICS = {
  variable: {
    value: '<slug>',
    text: "the variable, such as precipitation; default: the file's own",
    example: '--variable precipitation',
  },
  granularity: {
    value: '<name>',
    text: 'the windows (default: daily, or those of the climatology); native: the periods of values as they are stored',
    example: '--granularity weekly',
  },
  ...MEMBERS,
  thresholds: {
    value: '<condition>',
    text: 'share of members with ">20", "5..20", "<1 or >20", ">q90" of the climatology, or of several files "precipitation>5 and temp_mean<0"; may be repeated',
    read: condition,
    example: '--threshold ">20"',
  },
  columns: COLUMNS,
} satisfies OptionRows<StatisticsAgainstOptions>;

/** Options of `plumecast plot`; it has a flag of its own for variables. */
export const PLOT = {
  granularity: { ...STATISTICS.granularity, text: 'the windows (default: daily, or those of the climatology)' },
  ...QUANTILES,
  thresholds: {
    value: '<condition>',
    text: 'lines at limits: ">20", "5..20", of one of several variables "precipitation>20"; a map shows the share of members; may be repeated',
    read: condition,
    example: '--threshold ">20"',
  },
  startDate: MEMBERS.startDate,
  endDate: MEMBERS.endDate,
  partial: MEMBERS.partial,
  window: MEMBERS.window,
  minMemberShare: MEMBERS.minMemberShare,
  point: POINT,
  columns: COLUMNS,
} satisfies OptionRows<StatisticsAgainstOptions>;

/** Options of `plumecast climatology`. */
export const CLIMATOLOGY = {
  variable: {
    value: '<slug>',
    text: "the variable, such as precipitation; default: the files' own",
    example: '--variable precipitation',
  },
  granularity: {
    value: '<name>',
    text: 'the periods: days, ISO weeks or months (default: daily)',
    example: '--granularity weekly',
  },
  reference: {
    value: '<years>',
    text: 'first and last year (default: 1993-2022)',
    read: yearSpan,
    example: '--reference 1991-2020',
  },
  fewerYears: { text: 'accept a history without some of the reference years', example: '--fewer-years' },
  halfWidth: {
    value: '<days>',
    text: 'for days and rolling windows, the days before and after a day that count for it (default: 7)',
    read: plainNumber,
    example: '--half-width 5',
  },
  start: {
    value: '<MM-DD>',
    text: 'of hindcasts, the runs that start on this day of the year',
    example: '--start 03-01',
  },
  startDays: {
    value: '<days>',
    text: 'and up to so many days before and after it (default: 0)',
    read: plainNumber,
    example: '--start-days 3',
  },
  mixLeads: { text: 'pool hindcasts of any start, and so the same period at different leads', example: '--mix-leads' },
  ...QUANTILES,
  categories: {
    value: '<number>',
    text: 'equally likely categories, 0 for none (default: 3, terciles)',
    read: plainNumber,
    example: '--categories 5',
  },
  thresholds: {
    value: '<condition>',
    text: 'share of samples with, say, ">20"; may be repeated',
    read: threshold,
    example: '--threshold ">20"',
  },
  minSampleShare: {
    value: '<share>',
    text: 'minimum share of samples that are not missing, 0 to 1 (default: 0.8)',
    example: '--min-sample-share 0.5',
  },
  window: MEMBERS.window,
  point: POINT,
  columns: { ...COLUMNS, text: 'columns by role: date=day,value=mm,latitude=y,longitude=x' },
} satisfies OptionRows<ClimatologyOptions>;

/** Options of `plumecast batch`. */
export const BATCH = {
  out: { value: '<folder>', text: 'folder of the results', example: '--out results' },
  variables: {
    value: '<slugs>',
    text: "variables, such as precipitation,temp_mean; default: each file's own",
    read: textList,
    example: '--variable precipitation,temp_mean',
  },
  granularities: {
    value: '<names>',
    text: 'daily, weekly or monthly windows, or several: weekly,monthly (default: daily)',
    read: textList,
    example: '--granularity weekly,monthly',
  },
  ...MEMBERS,
  thresholds: {
    value: '<condition>',
    text: 'share of members with ">20", "5..20", "<1 or >20", ">q90" of the climatology; of one of several variables "precipitation>20"; may be repeated',
    read: conditionTexts,
    example: '--threshold ">20"',
  },
  columns: { ...COLUMNS, text: 'columns of tables by role: date=day,member=run,value=mm' },
  join: {
    value: '<pattern>',
    text: 'files that are one input: names that differ in "mem{member}.nc" or "{init}/*_{lead}.nc" alone; folder: all files of a folder; none (default)',
    example: '--join "{init}/*_{lead}.nc"',
  },
  bands: BANDS,
  climatologies: {
    value: '<files>',
    text: 'climatologies, one for each variable and granularity',
    read: textList,
    example: '--climatology rain-weeks.arrow,temp-weeks.arrow',
  },
  ...COMPARISON,
  format: { value: '<name>', text: 'format of the results (default: arrow)', example: '--format parquet' },
  compression: COMPRESSION,
  name: {
    value: '<template>',
    text: 'name of each result: {input}, {ending} (of the input), {variable}, {granularity}; results with one name share a file',
    example: '--name "{input}-{granularity}{ending}"',
  },
  workers: {
    value: '<number>',
    text: 'threads (default: one for each processor)',
    read: plainNumber,
    example: '--workers 4',
  },
  memory: { value: '<bytes>', text: 'maximum memory, such as 512MB (default: 1GB)', example: '--memory 512MB' },
  onError: { value: '<what>', text: 'what to do after a file fails (default: stop)', example: '--on-error continue' },
} satisfies OptionRows<BatchPlan>;

/** Options of `plumecast blend`. */
export const BLEND = {
  variable: {
    value: '<slug>',
    text: "the variable, such as precipitation; default: the files' own",
    example: '--variable precipitation',
  },
  names: {
    value: '<list>',
    text: 'names of the horizons (default: short-term,subseasonal,seasonal)',
    read: textList,
    example: '--names short,long',
  },
  method: {
    value: '<name>',
    text: 'how members continue from one horizon to the next (default: field)',
    example: '--method cell',
  },
  overlaps: {
    value: '<days>',
    text: 'days at the end of each horizon that are blended with the next (default: 3,7)',
    read: dayCounts,
    example: '--overlaps 3,7',
  },
  lastLeads: {
    value: '<days>',
    text: 'last lead day used of each horizon, or all (default: 14,41,214 for three)',
    read: lastLeads,
    example: '--last-leads 14,41,all',
  },
  keepGaps: { text: 'leave days missing that no horizon covers', example: '--keep-gaps' },
  columns: COLUMNS,
} satisfies OptionRows<BlendOptions>;
