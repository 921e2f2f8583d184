/*
 * Options that are held in variables: their words are of type `string`, and no `as const` is needed. Compiled by
 * `scripts/check-declarations.mjs`.
 */
import type { Table } from 'apache-arrow';
import { blend, type Core, climatology, dailyTable, memberWindows, statistics } from 'plumecast';
import {
  blend as blendArrays,
  computeMemberWindows,
  computeStatistics,
  MemberColumn,
  memberWindows as memberWindowsOfArray,
  statistics as statisticsOfArray,
  windowTable,
} from 'plumecast/arrays';
import { runBatch } from 'plumecast/batch';
import { createClient } from 'plumecast/client';
import { demoTable } from 'plumecast/demo';
import { encodeTable, gridEnsemble, openArrays, tableAtPoint } from 'plumecast/files';
import { type MapField, meteogram, weatherMap } from 'plumecast/plot';
import { zarrSource } from 'plumecast/service';
import { createPool } from 'plumecast/threads';

const windows = {
  granularity: 'weekly',
  startDate: '2026-03-02',
  point: { latitude: 37.3, longitude: -79.84 },
  variable: 'precipitation',
  window: 'sum',
  columns: { value: 'rain', member: 'number' },
  calendar: 'noleap',
};
const requested = {
  ...windows,
  quantiles: [0.05, 0.5, 0.95],
  quantileType: 7,
  thresholds: ['>20', { operator: '<=', limit: 0.1 }],
};

export function ofTables(core: Core, table: Table) {
  const normals = { granularity: 'monthly', categories: 3, quantileType: 8, thresholds: [{ operator: '>', limit: 1 }] };
  const horizons = { method: 'field', names: ['short-term', 'seasonal'], overlaps: [3], lastLeads: [14, null] };
  const normal = climatology(core, table, normals);
  return [
    statistics(core, table, requested),
    memberWindows(core, table, windows),
    statistics(core, table, { ...requested, exceed: [0.9], anomaly: true, climatology: normal }),
    blend(core, [table, table], horizons).table,
    statistics(core, blend(core, [table, table], horizons), requested),
  ];
}

export function toDays(table: Table) {
  const options = { variable: 'tp', units: 'm', stamps: 'end', accumulation: 'buckets-6h', missing: [-9999] };
  return dailyTable(table, options).table;
}

export async function ofFiles(core: Core, bytes: Uint8Array) {
  const file = await openArrays(bytes);
  const options = {
    ...{ variable: 'temp_mean', stamps: 'start', accumulation: 'since-start', init: 'all' },
    bbox: { south: 30, west: -80, north: 40, east: -70 },
  };
  await gridEnsemble(file, options);
  const { table } = await tableAtPoint(core, file, { ...options, point: { latitude: 37.3, longitude: -79.84 } });
  const written = { compression: 'zstd' };
  return encodeTable(table, 'parquet', written);
}

export function ofArrays(core: Core) {
  const members = [new MemberColumn('0', [{ values: new Float32Array(14) }])];
  const field = { type: 'float32', order: 'day-fastest', firstDay: 19_723, days: 14, cells: 1, members };
  const weeks = windowTable('weekly', 19_723, 19_736);
  const request = {
    ...{ window: 'sum', quantiles: [0.5], quantileType: 7, spread: false, minMemberShare: 0.8 },
    thresholds: [{ operator: '>', limit: 20 }],
  };
  computeMemberWindows(core, field, weeks, 'sum');
  return [
    computeStatistics(core, field, weeks, request),
    createPool().then((pool) => pool.computeStatistics(field, weeks, request)),
  ];
}

export function inDimensions(core: Core) {
  const array = { data: new Float32Array(42), shape: [14, 3], dims: ['time', 'member'], start: '2026-03-02' };
  const { variable, columns, calendar, point, ...options } = requested;
  const weekly = statisticsOfArray(core, { ...array, variable, calendar }, options);
  const windowed = { granularity: 'weekly', window: 'sum', startDate: '2026-03-02', partial: true };
  const values: Float32Array = weekly.columns.q05;
  const timeline = blendArrays(core, [array, array], { method: 'field', overlaps: [3], lastLeads: [14, null] });
  const joined: Float32Array = statisticsOfArray(core, timeline, options).columns.mean;
  return [joined, values, weekly.columns['p_le_0.1'][0], memberWindowsOfArray(core, array, windowed).data.length];
}

export function inPictures(field: MapField) {
  const look = { theme: 'dark', title: 'Rain' };
  const projected = { ...look, projection: 'lambert', coastlines: 'none', limits: [0, 5, 10] };
  return meteogram({ ensemble: demoTable('precipitation'), thresholds: [20] }, look) + weatherMap(field, projected);
}

export function inServices() {
  const query = { latitude: 37.3, longitude: -79.84, granularity: 'weekly', variables: ['precipitation'] };
  const part = { store: 'https://example.org/rain.zarr', stamps: 'end', accumulation: 'per-step' };
  zarrSource({ forecast: { 'short-term': part } });
  const plan = {
    ...{ inputs: ['runs'], out: 'weekly', granularities: ['weekly'], format: 'netcdf', compression: 'deflate' },
    ...{ onError: 'continue', stamps: 'end', accumulation: 'buckets', thresholds: { precipitation: ['>20'] } },
  };
  runBatch(plan);
  return createClient({ baseUrl: 'https://example.org', apiKey: 'demo' }).forecastStatistics(query);
}

// What is not an option, or not of its type, is still an error.
// @ts-expect-error
export const unknownOption = (core: Core, table: Table) => statistics(core, table, { granularities: 'weekly' });
// @ts-expect-error
export const wrongType = (core: Core, table: Table) => statistics(core, table, { granularity: 7 });
