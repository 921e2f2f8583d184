import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { afterAll } from 'vitest';
import * as arrays from '../../src/arrays.js';
import * as batch from '../../src/batch/index.js';
import * as calendar from '../../src/calendar.js';
import { climatology, climatologyTable } from '../../src/climate/index.js';
import { demoTable } from '../../src/demo/index.js';
import * as fao56 from '../../src/fao56.js';
import { contentOfTable } from '../../src/files/cf/content/content-of-table.js';
import * as files from '../../src/files/index.js';
import * as filesNode from '../../src/files/node.js';
import * as library from '../../src/index.js';
import * as plot from '../../src/plot/index.js';
import * as service from '../../src/service/index.js';
import * as serviceNode from '../../src/service/node.js';
import { coordinates, memoryFile } from '../files/cf/memory-file.js';
import type { Call } from './odd-values.js';

const dir = mkdtempSync(join(tmpdir(), 'plumecast-other-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const core = await arrays.loadCore();
const place = { latitude: 37.25, longitude: -80 };
const corners = [37, 38].flatMap((latitude) => [-80, -79].map((longitude) => ({ latitude, longitude })));
const table = demoTable('temp_mean', { days: 8, members: 3, locations: [place] });
const grid = demoTable('temp_mean', { days: 8, members: 3, locations: corners });
const of = library.statistics(core, table, { granularity: 'daily' });
const mapped = library.statistics(core, grid, { granularity: 'daily' });
const past = demoTable('temp_mean', { initDate: 8400, days: 3 * 366, members: 1, locations: [place] });
const climate = climatologyTable(climatology(core, past, { reference: '1993-1994' }));
await filesNode.writeNetcdf(join(dir, 'a.nc'), contentOfTable(table));
const file = await filesNode.openArrays(join(dir, 'a.nc'));
await filesNode.writeNetcdf(join(dir, 'climate.nc'), contentOfTable(climate));
const climateFile = await filesNode.openArrays(join(dir, 'climate.nc'));
const update = await serviceNode.beginUpdate(join(dir, 'store'));
await update.commit();
const list = library.windowsOf('DJF,MAM');
const windows = demoTable('temp_mean', { days: 1, members: 1, locations: [place] });

/** Times of day, as a table and as a file. */
const hours = ['2026-03-02T00:00', '2026-03-02T06:00', '2026-03-02T12:00'];
const steps = tableFromArrays({ time: hours, temp_mean: Float64Array.of(1, 2, 3) });
const sixHourly = memoryFile({
  ...coordinates(
    { time: [0, 6, 12, 18], latitude: [37, 38], longitude: [-80, -79] },
    { units: 'hours since 2026-03-02' },
  ),
  t2m: {
    dimensions: { time: 4, latitude: 2, longitude: 2 },
    values: Float64Array.from({ length: 16 }, (_, i) => i),
    attributes: { units: 'degC', standard_name: 'air_temperature' },
  },
});

const formula = (run: (...args: never[]) => number, ...args: readonly unknown[]): Call => ({
  name: run.name,
  run,
  args: () => args,
});

/** Calls of formulas, and of what is called once or by few. */
export const OTHER_CALLS: readonly Call[] = [
  // plumecast/calendar
  { name: 'daysInMonth', run: calendar.daysInMonth, args: () => [2024, 2] },
  { name: 'isLeapYear', run: calendar.isLeapYear, args: () => [2024] },
  { name: 'weekday', run: calendar.weekday, args: () => [20_000] },
  // plumecast/fao56
  formula(fao56.atmosphericPressure, 100),
  formula(fao56.clearSkyRadiation, 30, 100),
  formula(fao56.extraterrestrialRadiation, 50, 180),
  formula(fao56.netLongwaveRadiation, {
    ...{ tempMin: 10, tempMax: 20, vaporPressure: 1, solarRadiation: 15, clearSkyRadiation: 25 },
    relativeShortwaveBefore: 0.5,
  }),
  formula(fao56.netRadiation, 10, 3),
  formula(fao56.netShortwaveRadiation, 15),
  formula(fao56.psychrometricConstant, 100),
  formula(fao56.referenceEvapotranspiration, {
    ...{ netRadiation: 10, temperature: 15, windSpeed: 2, vaporPressureDeficit: 0.5, psychrometricConstant: 0.066 },
  }),
  formula(fao56.relativeShortwaveRadiation, 15, 25, 0.5),
  formula(fao56.windSpeedAt2m, 3, 10),
  formula(fao56.actualVaporPressure, 2, 50),
  formula(fao56.dewPoint, 15, 50),
  formula(fao56.meanSaturationVaporPressure, 10, 20),
  formula(fao56.relativeHumidity, 15, 10),
  formula(fao56.saturationVaporPressure, 15),
  formula(fao56.saturationVaporPressureSlope, 15),
  formula(fao56.vaporPressureDeficit, 10, 20, 50, 15),
  formula(fao56.vaporPressureOfExtremes, { tempMin: 10, tempMax: 20, humidityMin: 40, humidityMax: 90 }),
  // plumecast: windows
  {
    name: 'ensemble',
    run: library.ensemble,
    args: () => [table, { variable: 'temp_mean', variables: [], columns: { latitude: 'latitude' }, source: 'x' }],
  },
  { name: 'windowList', run: library.windowList, args: () => [windows, 'x'] },
  {
    name: 'Windows.table',
    run: (...args) => list.table(...(args as unknown as [number, number])),
    args: () => [1, 400],
  },
  // plumecast/files
  {
    name: 'tableAtPoint',
    isSlow: true,
    run: files.tableAtPoint,
    args: () => [core, file, { point: place, variable: 'temp_mean', stamps: 'start' }],
  },
  {
    name: 'tableAtPoints',
    isSlow: true,
    run: files.tableAtPoints,
    args: () => [core, sixHourly, [{ ...place, id: 'farm' }], { method: 'nearest', stamps: 'start' }],
  },
  {
    name: 'tableOverRegions',
    isSlow: true,
    run: files.tableOverRegions,
    args: () => [
      core,
      sixHourly,
      { south: 37, west: -81, north: 38, east: -79 },
      { statistic: 'mean', minAreaShare: 0.1, stamps: 'start' },
    ],
  },
  {
    name: 'stepsAtPoint',
    isSlow: true,
    run: files.stepsAtPoint,
    args: () => [core, sixHourly, { point: place, variable: 'temp_mean', stamps: 'start' }],
  },
  {
    name: 'climatologyTables',
    isSlow: true,
    run: files.climatologyTables,
    args: () => [climateFile, {}],
  },
  // plumecast/plot
  {
    name: 'timeSteps',
    isTried: (path) => path !== '1.variableName',
    run: plot.timeSteps,
    args: () => [
      steps,
      { variable: 'temp_mean', variables: [], columns: { date: 'time' }, source: 'x', units: 'degC', stamps: 'start' },
    ],
  },
  {
    name: 'stepStatistics',
    run: plot.stepStatistics,
    args: () => [
      core,
      plot.timeSteps(steps, { variable: 'temp_mean', units: 'degC', stamps: 'start' }).table,
      { quantiles: [0.5], quantileType: 7, thresholds: ['>5'], spread: true, minMemberShare: 0.5, source: 'x' },
    ],
  },
  {
    name: 'mapField',
    isSlow: true,
    run: plot.mapField,
    args: () => [mapped, { statistic: 'mean', period: '2026-03-02', source: 'x' }],
  },
  {
    name: 'weatherMap',
    isSlow: true,
    run: plot.weatherMap,
    args: () => [plot.mapField(mapped, { period: '2026-03-02' }), { width: 400, theme: 'dark', title: 'a' }],
  },
  {
    name: 'meteogramText',
    isSlow: true,
    run: plot.meteogramText,
    args: () => [[{ statistics: [of], variable: 'temp_mean' }], { width: 80, panelRows: 8 }],
  },
  // plumecast/batch
  {
    name: 'listPlan',
    run: batch.listPlan,
    args: () => [
      { inputs: [join(dir, 'a.nc')], out: join(dir, 'out'), variables: ['temp_mean'] },
      { shard: { number: 1, of: 2 }, prune: false },
    ],
    depth: 1,
  },
  { name: 'mergeShards', run: batch.mergeShards, args: () => [join(dir, 'out'), { overwrite: false }] },
  // plumecast/service
  {
    name: 'createRateLimit',
    run: service.createRateLimit,
    args: () => [{ requests: 10, windowSeconds: 60 }],
  },
  { name: 'streamCompression', run: service.streamCompression, args: () => [{ minBytes: 100 }] },
  // plumecast/service/node
  {
    name: 'openDatabase',
    run: serviceNode.openDatabase,
    args: () => ['postgres://u:p@127.0.0.1:1/d', { rejectDemoKeys: true, graceSeconds: 10, onFault: () => {} }],
  },
  { name: 'fileUsage', run: serviceNode.fileUsage, args: () => [dir] },
  {
    name: 'createUsageMeter',
    run: serviceNode.createUsageMeter,
    args: () => [service.memoryUsage(), { flushSeconds: 10, onFault: () => {}, now: () => new Date() }],
  },
  { name: 'migrateDatabase', run: serviceNode.migrateDatabase, args: () => ['postgres://u:p@127.0.0.1:1/d'] },
  { name: 'nodeCompression', run: serviceNode.nodeCompression, args: () => [{ minBytes: 100 }] },
  {
    name: 'createListener',
    run: serviceNode.createListener,
    args: () => [{ reply: () => undefined }, { trustedProxies: ['127.0.0.1'] }],
    depth: 1,
  },
  {
    name: 'StoreUpdate.abandon',
    isSlow: true,
    run: async (how) => (await serviceNode.beginUpdate(join(dir, 'store'))).abandon(how),
    args: () => [{ keepsWork: false }],
  },
];
