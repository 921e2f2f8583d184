import type { BatchPlan } from '../batch/batch-plan.js';
import type { BlendOptions } from '../blend/options.js';
import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import type { ClimatologyOptions } from '../climate/options.js';
import type { OptionRows } from './library-options.js';
import {
  bandLevel,
  columnRoleList,
  condition,
  conditionTexts,
  dateText,
  dayCounts,
  lastLeads,
  oneVariable,
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
    read: oneVariable,
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
    text: 'for days and rolling windows, the days before and after a day that count for it (default: 7; of hindcasts 0)',
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
  out: { value: '<folder>', text: 'folder of the results, or s3://BUCKET/PREFIX', example: '--out results' },
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
    text: 'share of members with ">20", "5..20", "<1 or >20", ">q90" of the climatology; by name "precipitation>20"; of several variables together "precipitation>5 and temp_mean<0"; may be repeated',
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
    text: 'name of each result: {input}, {ending} (of the input), {variable}, {granularity}; results with one name share a file; {year} divides each among files',
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
