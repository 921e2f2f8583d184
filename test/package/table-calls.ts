import * as arrays from '../../src/arrays.js';
import * as blending from '../../src/blend/index.js';
import * as derive from '../../src/blend/index.js';
import * as period from '../../src/calendar.js';
import * as climate from '../../src/climate/index.js';
import * as history from '../../src/climate/index.js';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import * as formats from '../../src/files/index.js';
import * as library from '../../src/index.js';
import * as daily from '../../src/table/daily/index.js';
import * as variable from '../../src/variable/index.js';
import type { Call } from './odd-values.js';

const core = await loadCore();
const place = { latitude: 37.25, longitude: -80 };
const run = { days: 8, members: 3, locations: [place] };
const table = demoTable('temp_mean', run);
const later = demoTable('temp_mean', { ...run, initDate: 20_517 });
const past = demoTable('temp_mean', { ...run, initDate: 8400, days: 3 * 366, members: 1 });
const own = variable.defineVariable({ slug: 'own', units: 'mm', window: 'sum' });
const reading = { variable: 'temp_mean', variables: [own], columns: { latitude: 'latitude' }, source: 'x' };
const windows = {
  ...{
    granularity: 'daily',
    startDate: '2026-03-02',
    endDate: '2026-03-05',
    partial: false,
    window: 'mean',
    point: place,
  },
  ...reading,
};
const options = {
  ...{ quantiles: [0.5], quantileType: 7, thresholds: ['>5'], spread: true, minMemberShare: 0.5 },
  ...windows,
};
const { columns, variables } = reading;
const seams = { overlaps: [2], lastLeads: [null, null], keepGaps: false };
const joining = {
  ...{ names: ['a', 'b'], sources: ['a', 'b'], method: 'field' as const, columns, variables },
  ...seams,
};
const timeline = blending.blend(core, [table, later], { overlaps: [2] });
const { pairing, horizons } = timeline;
const reference = { reference: '1993-1994', categories: 3, quantiles: [0.9], variable: 'temp_mean' } as const;
const normal = climate.climatology(core, past, reference);
const bytes = await formats.encodeTable(table, 'csv');
const { point: _, startDate: __, endDate: ___, partial: ____, ...climateWindows } = windows;
const fieldOptions = {
  ...{
    ...seams,
    lastLeads: [undefined, 14],
    method: 'field',
    pairBy: ['temp_mean'],
    places: { latitude: Float64Array.of(37.25), longitude: Float64Array.of(-80) },
    also: [],
  },
};
const request = {
  ...{ window: 'mean', quantiles: [0.5], quantileType: 7, thresholds: [{ operator: '>', limit: 1 }] },
  ...{ spread: true, minMemberShare: 0.8 },
};

const array = {
  data: new Float32Array(14 * 3 * 2).fill(1),
  shape: [14, 3, 2],
  dims: ['time', 'member', 'place'],
  ...{ start: '2026-03-02', variable: 'temp_mean', units: 'degC', members: ['a', 'b', 'c'] },
};

/** Calls of the functions of tables, the calendar and variables. */
export const TABLE_CALLS: readonly Call[] = [
  { name: 'statistics', run: library.statistics, args: () => [core, table, options] },
  { name: 'memberWindows', run: library.memberWindows, args: () => [core, table, windows] },
  {
    name: 'arrays.statistics',
    run: arrays.statistics,
    args: () => [core, array, { granularity: 'daily', spread: true }],
  },
  { name: 'arrays.memberWindows', run: arrays.memberWindows, args: () => [core, array, { granularity: 'daily' }] },
  { name: 'arrays.blend', run: arrays.blend, args: () => [core, [array, array], { pairing: undefined }] },
  { name: 'parseCondition', run: library.parseCondition, args: () => ['>5'] },
  {
    name: 'conditionShares',
    run: library.conditionShares,
    args: () => [core, table, ['>5'], { granularity: 'daily' }],
  },
  { name: 'samplingBands', run: library.samplingBands, args: () => [0.9] },
  { name: 'readStatistic', run: library.readStatistic, args: () => [{ name: 'q50', metadata: new Map() }] },
  {
    name: 'blend',
    run: blending.blend,
    args: () => [core, [table, later], { ...joining, variable: 'temp_mean' }],
  },
  {
    name: 'blend with a pairing',
    run: blending.blend,
    args: () => [core, [table, later], { pairing }],
  },
  { name: 'pairMembers', run: blending.pairMembers, args: () => [core, [table, later], joining] },
  {
    name: 'blendVariables',
    run: blending.blendVariables,
    args: () => [core, [{ temp_mean: table }, { temp_mean: later }], { ...joining, pairBy: 'temp_mean' }],
  },
  {
    name: 'allMembers',
    run: blending.allMembers,
    args: () => [blending.blend(core, [table, later], joining)],
    depth: 0,
  },
  { name: 'seamReport', run: blending.seamReport, args: () => [{ ...timeline }], depth: 1 },
  {
    name: 'pairFields',
    run: arrays.pairFields,
    args: () => [core, horizons, fieldOptions],
    depth: 1,
  },
  {
    name: 'blendFields',
    run: arrays.blendFields,
    args: () => [core, horizons, fieldOptions],
    depth: 1,
  },
  {
    name: 'blendInGroups',
    run: arrays.blendInGroups,
    args: () => [core, horizons, fieldOptions],
    depth: 1,
  },
  {
    name: 'computeBlendedStatistics',
    run: arrays.computeBlendedStatistics,
    args: () => [
      core,
      horizons,
      fieldOptions,
      arrays.windowTable('weekly', 20_516, 20_520, { partial: true }),
      request,
    ],
    depth: 1,
  },
  {
    name: 'statistics of a timeline',
    run: library.statistics,
    args: () => [core, blending.blend(core, [table, later], joining), { granularity: 'daily', spread: true }],
  },
  {
    name: 'climatology',
    run: climate.climatology,
    args: () => [
      core,
      past,
      {
        ...climateWindows,
        ...reference,
        fewerYears: false,
        halfWidth: 7,
        quantileType: 7,
        thresholds: ['>5'],
        minSampleShare: 0.5,
        point: place,
      },
    ],
  },
  { name: 'climatologyTable', run: climate.climatologyTable, args: () => [{ ...normal }], depth: 1 },
  {
    name: 'readClimatology',
    run: climate.readClimatology,
    args: () => [climate.climatologyTable(normal), { variables, source: 'x' }],
  },
  {
    name: 'statistics with a climatology',
    run: library.statistics,
    args: () => [core, table, { ...options, climatology: { ...normal }, exceed: [0.9], anomaly: true }],
    depth: 1,
  },
  {
    name: 'deriveVariable',
    run: derive.deriveVariable,
    args: () => [
      'dew_point',
      { temp_mean: table, relative_humidity: demoTable('relative_humidity', run) },
      { elevation: 500 },
    ],
  },
  {
    name: 'fillGaps',
    run: history.fillGaps,
    args: () => [[{ name: 'a', table: past }], { variable: 'temp_mean', variables, columns }],
  },
  {
    name: 'dailyTable',
    isTried: (path) => path !== '1.variableName',
    run: daily.dailyTable,
    args: () => [
      table,
      {
        ...reading,
        variable: variable.findVariable('temp_mean'),
        units: 'degC',
        stamps: 'start',
        missing: -1,
        sort: true,
      },
    ],
  },
  { name: 'readTable', run: formats.readTable, args: () => [bytes, { source: 'x', decimal: '.', report: () => {} }] },
  ...(['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet'] as const).flatMap((format): Call[] => [
    { name: `encodeTable ${format}`, run: formats.encodeTable, args: () => [table, format, { compression: 'none' }] },
    {
      name: `encodeTables ${format}`,
      run: formats.encodeTables,
      args: () => [[table], format, { compression: 'none' }],
    },
  ]),
  { name: 'dayNumber', run: period.dayNumber, args: () => [2024, 2, 29] },
  { name: 'civilDate', run: period.civilDate, args: () => [20_000] },
  { name: 'parseDate', run: period.parseDate, args: () => ['2024-02-29'] },
  { name: 'formatDate', run: period.formatDate, args: () => [20_000] },
  { name: 'isoWeek', run: period.isoWeek, args: () => [20_000] },
  { name: 'weekStart', run: period.weekStart, args: () => [2020, 53] },
  { name: 'weeksInYear', run: period.weeksInYear, args: () => [2020] },
  { name: 'parseWeek', run: period.parseWeek, args: () => ['2020-W53'] },
  { name: 'formatWeek', run: period.formatWeek, args: () => [2020, 53] },
  { name: 'monthStart', run: period.monthStart, args: () => [2020, 2] },
  { name: 'monthEnd', run: period.monthEnd, args: () => [2020, 2] },
  { name: 'parseMonth', run: period.parseMonth, args: () => ['2020-02'] },
  { name: 'formatMonth', run: period.formatMonth, args: () => [2020, 2] },
  { name: 'parsePeriod', run: period.parsePeriod, args: () => ['2020-02'] },
  { name: 'periodKey', run: period.periodKey, args: () => ['weekly', 20_000] },
  { name: 'windowTable', run: period.windowTable, args: () => ['weekly', 20_000, 20_020, { partial: true }] },
  { name: 'defineVariable', run: variable.defineVariable, args: () => [{ ...own, bounds: [0, 1], fileNames: ['x'] }] },
  { name: 'findVariable', run: variable.findVariable, args: () => ['temp_mean', variables] },
];
