import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import * as arrays from '../../src/arrays.js';
import * as batch from '../../src/batch/index.js';
import { createClient, ServiceError, v1Endpoints } from '../../src/client/index.js';
import { climatology, climatologyTable } from '../../src/climate/index.js';
import { CoreMemory } from '../../src/core/memory.js';
import * as demo from '../../src/demo/index.js';
import { definePlumeChart } from '../../src/element/index.js';
import { contentOfTable } from '../../src/files/cf/content/content-of-table.js';
import * as files from '../../src/files/index.js';
import * as filesNode from '../../src/files/node.js';
import * as library from '../../src/index.js';
import * as plot from '../../src/plot/index.js';
import { zarrSource } from '../../src/service/archive/index.js';
import * as service from '../../src/service/index.js';
import * as serviceNode from '../../src/service/node.js';
import * as skillDoor from '../../src/skill/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { createPool } from '../../src/threads/index.js';
import { findVariable } from '../../src/variable/index.js';
import { seededField } from '../reference/fields.js';
import { RecordingWriter } from '../service/ingest/recording-writer.js';
import type { Call } from './odd-values.js';

const core = await arrays.loadCore();
const skill = await skillDoor.loadSkill();
const cases = { members: [Float64Array.of(1), Float64Array.of(2)], observations: Float64Array.of(3) };
const verified = new skillDoor.Verification(skill);
verified.add(cases);
const pool = await createPool({ threads: 0 });
const dir = mkdtempSync(join(tmpdir(), 'plumecast-doors-'));
afterAll(async () => {
  await pool.close();
  rmSync(dir, { recursive: true, force: true });
});

const RUN = { days: 8, members: 3, locations: [{ latitude: 37.25, longitude: -80 }] };
const table = demo.demoTable('temp_mean', { ...RUN });
const history = demo.demoTable('temp_mean', { ...RUN, days: 40, members: 1 });
const bytes = await files.encodeTable(table, 'arrow');
const field = seededField({ days: 14, cells: 2, members: 3 });
const windows = arrays.windowTable('weekly', field.firstDay, field.firstDay + 13, { partial: true });
const request = {
  window: 'sum',
  quantiles: [0.1],
  quantileType: 7,
  thresholds: [{ operator: '>', limit: 1 }],
  spread: true,
  categories: [{ limits: [new Float32Array(2 * windows.count)], lower: 1 }],
  minMemberShare: 0.8,
} as const;
const options = {
  ...{ granularity: 'daily', startDate: '2026-03-02', endDate: '2026-03-05', partial: false, source: 'x' },
  ...{ point: { latitude: 37.25, longitude: -80 }, variable: 'temp_mean', variables: [], window: 'mean' },
  ...{ quantiles: [0.5], quantileType: 7, thresholds: ['>5'], spread: true, minMemberShare: 0.5 },
  columns: { latitude: 'latitude' },
} as const;
const memory = {
  revision: 'r',
  latitude: Float64Array.of(37.25),
  longitude: Float64Array.of(-80),
  variables: { temp_mean: { firstDay: 20_514, days: 2, members: 1, values: new Float32Array(2) } },
};
const dataset = service.memoryDataset(memory);
const file = { source: 'a', horizon: 'short-term', fine: false, load: async () => table };
const climate = climatologyTable(
  climatology(core, demo.demoTable('temp_mean', { ...RUN, initDate: 8400, days: 3 * 366, members: 1 }), {
    reference: '1993-1994',
  } as never),
);
const source = service.memorySource({});
const keys = service.memoryKeys([{ id: 'a', owner: 'me', downscaling: false, key: 'k' }]);
const content = contentOfTable(table);
await filesNode.writeNetcdf(join(dir, 'a.nc'), content);
const arrayFile = await filesNode.openArrays(join(dir, 'a.nc'));
const writer = () => new RecordingWriter();
/** A writer to a store that has a forecast of one horizon. */
const stored = () => {
  const forecast = { initTime: '2026-03-02T00:00:00Z', version: 'v', generation: 'g', horizonInitTimes: {} };
  const part = { revision: 'r', places: 1, variables: new Map() };
  return Object.defineProperties(writer(), {
    stored: {
      value: {
        ...{ forecast, climatologies: [], hasElevation: false, preloaded: 0, issued: [] },
        parts: new Map([['short-term' as const, part]]),
      },
    },
    storedPart: { value: async (name: string) => (/^(short-term|reanalysis)$/.test(name) ? dataset : undefined) },
  });
};
const listed = join(dir, 'store');
const update = await serviceNode.beginUpdate(listed);
await update.commit();

/** Texts are the names of files, folders and hosts, of which most are good ones. */
/** Options of statistics are tried where they are those of a door. */
const noStatistics = (path: string) => !/^[12]\./.test(path);

const noTexts = (_: string, value: unknown) => typeof value !== 'string';

const demoOptions = {
  ...{ seed: 1, locations: [{ latitude: 1, longitude: 2 }], initDate: 20_514, days: 2, members: 2 },
  ...{ horizon: 'seasonal', version: 'v', generation: 'g' },
};

/** Calls of the functions of the other doors. */
export const DOOR_CALLS: readonly Call[] = [
  // plumecast/arrays
  { name: 'computeStatistics', run: arrays.computeStatistics, args: () => [core, field, windows, request] },
  { name: 'computeMemberWindows', run: arrays.computeMemberWindows, args: () => [core, field, windows, 'sum'] },
  {
    name: 'computeStatisticsInto',
    run: arrays.computeStatisticsInto,
    args: () => [arrays.computeStatistics(core, field, windows, request as never), ...[core, field, windows, request]],
  },
  { name: 'windowsOf', run: arrays.windowsOf, args: () => ['DJF,MAM'] },
  { name: 'daysThat', run: arrays.daysThat, args: () => ['>20'] },
  { name: 'longestSpell', run: arrays.longestSpell, args: () => ['<1'] },
  { name: 'spells', run: arrays.spells, args: () => ['<1', 5] },
  { name: 'firstDayThat', run: arrays.firstDayThat, args: () => ['<0'] },
  { name: 'excess', run: arrays.excess, args: () => ['>18'] },
  { name: 'windowTable', run: arrays.windowTable, args: () => ['weekly', 10, 40, { partial: true }] },
  { name: 'loadCore', run: arrays.loadCore, args: () => [undefined] },
  {
    name: 'MemberColumn',
    run: (...args: never[]) => new arrays.MemberColumn(...(args as unknown as [string, never])),
    args: () => ['m', [{ values: new Float32Array(8), bitmap: new Uint8Array(2), firstBit: 1 }]],
  },
  {
    name: 'MemberColumn.copyTo',
    run: (...args) => field.members[0].copyTo(...(args as unknown as [never, number, number, number])),
    args: () => [new Float32Array(4), 1, 2, 4],
  },
  { name: 'MemberColumn.value', run: (row) => field.members[0].value(row), args: () => [1] },
  { name: 'MemberColumn.slice', run: (from, to) => field.members[0].slice(from, to), args: () => [1, 3] },
  // plumecast: core
  ...(['allocate', 'scratch', 'release'] as const).map((name) => ({
    name: `CoreMemory.${name}`,
    run: (bytes: never) => {
      const mark = core.memory.mark();
      try {
        core.memory[name](bytes);
      } finally {
        core.memory.release(mark);
      }
    },
    args: () => [64],
  })),
  ...(['bytes', 'int32', 'float32', 'float64'] as const).map((name) => ({
    name: `CoreMemory.${name}`,
    run: (address: never, length: never) => core.memory[name](address, length),
    args: () => [64, 2],
  })),
  { name: 'CoreMemory.whole', run: (type) => core.memory.whole(type), args: () => ['int32'] },
  { name: 'CoreMemory.holds', run: (buffer) => core.memory.holds(buffer), args: () => [new ArrayBuffer(1)] },
  {
    name: 'CoreMemory.begin',
    run: (from, to) => new CoreMemory(new WebAssembly.Memory({ initial: 1 })).begin(from, to),
    args: () => [64, 128],
  },
  // plumecast/threads
  { name: 'createPool', run: createPool, args: () => [{ threads: 0, source: undefined }] },
  {
    name: 'Pool.computeStatistics',
    run: (...args) => pool.computeStatistics(...(args as unknown as [never, never, never])),
    args: () => [field, windows, request],
  },
  {
    name: 'Pool.statistics',
    run: (of, how) => pool.statistics(of, how),
    args: () => [table, options],
    isTried: noStatistics,
  },
  // plumecast and plumecast/files: streams
  { name: 'readArrowInto', run: files.readArrowInto, args: () => [core, bytes, { source: 'x' }] },
  {
    name: 'streamStatistics',
    run: library.streamStatistics,
    args: () => [core, bytes, options],
    isTried: noStatistics,
  },
  {
    name: 'streamStatistics',
    run: library.streamStatistics,
    args: () => [core, table.batches, options],
    isTried: noStatistics,
  },
  // plumecast/files/node: Arrow files
  { name: 'readArrowInto', run: filesNode.readArrowInto, args: () => [core, 'x', { source: 'x' }] },
  {
    name: 'readTables',
    run: filesNode.readTables,
    args: () => [core, 'x', { source: 'x', columns: ['a'], bytes: 1e6, decimal: '.', report: () => {} }],
  },
  // plumecast/service: sources
  { name: 'memoryDataset', run: service.memoryDataset, args: () => [memory], depth: 4 },
  {
    name: 'Dataset.read',
    run: (slug, cell, into) => dataset.read(slug, cell, into),
    args: () => ['temp_mean', 0, new Float32Array(2)],
  },
  { name: 'PlaceIndex', run: (places) => new service.PlaceIndex(places), args: () => [dataset.places] },
  { name: 'PlaceIndex', run: (places) => new service.PlaceIndex(places), args: () => [{ ...memory }] },
  {
    name: 'PlaceIndex.nearest',
    run: (point, from) => dataset.places.nearest(point, from),
    args: () => [{ latitude: 1, longitude: 2 }, 'x'],
  },
  {
    name: 'PlaceIndex.covering',
    run: (point) => dataset.places.covering(point),
    args: () => [{ latitude: 1, longitude: 2 }],
  },
  { name: 'gapFilled', run: service.gapFilled, args: () => [[{ name: 'a', data: dataset }]] },
  { name: 'hashKey', run: service.hashKey, args: () => ['k'] },
  {
    name: 'memoryKeys',
    run: service.memoryKeys,
    args: () => [[{ id: 'a', owner: 'me', downscaling: false, key: 'k' }]],
  },
  {
    name: 'memoryKeys of hashes',
    run: service.memoryKeys,
    args: () => [[{ id: 'a', owner: 'me', downscaling: false, keyHash: 'a'.repeat(64) }]],
  },
  { name: 'KeyStore.find', run: (key) => keys.find(key), args: () => ['k'] },
  {
    name: 'memoryLocations',
    run: service.memoryLocations,
    args: () => [[{ id: 'a', latitude: 1, longitude: 2, owner: 'me' }]],
  },
  { name: 'memorySource', run: service.memorySource, args: () => [{}] },
  // plumecast/service/node
  { name: 'beginUpdate', run: serviceNode.beginUpdate, args: () => [''], isTried: noTexts },
  {
    name: 'openStore',
    run: serviceNode.openStore,
    args: () => [listed, { reads: 'direct', refreshSeconds: 1, onFault: () => undefined }],
  },
  {
    name: 'cachedDataset',
    run: serviceNode.cachedDataset,
    args: () => [dataset, { folder: dir, memoryBytes: 1e6, onFault: () => undefined }],
  },
  { name: 'checkStore', run: serviceNode.checkStore, args: () => [listed, { onObject: () => undefined }] },
  { name: 'copyStore', run: serviceNode.copyStore, args: () => [listed, listed], isTried: noTexts },
  { name: 'listGenerations', run: serviceNode.listGenerations, args: () => [listed] },
  { name: 'pruneStore', run: serviceNode.pruneStore, args: () => [listed, { count: 3, days: 1 }] },
  { name: 'rollbackStore', run: serviceNode.rollbackStore, args: () => [listed, 'g'] },
  {
    name: 'migrateStore',
    run: async (update, options) => {
      if (update !== 'begun') return serviceNode.migrateStore(update as never, options as never);
      const one = await serviceNode.beginUpdate(listed);
      try {
        await serviceNode.migrateStore(one, options as never);
      } finally {
        await one.abandon();
      }
    },
    args: () => ['begun', { onVariable: () => undefined }],
  },
  { name: 'openKeys', run: serviceNode.openKeys, args: () => [listed, { rejectDemoKeys: true, onFault: () => {} }] },
  { name: 'openLocations', run: serviceNode.openLocations, args: () => [listed, { onFault: () => {} }] },
  ...(
    [
      ['setForecast', [{ initTime: '2026-03-02T00:00:00Z', version: 'v', generation: 'g', nextInitTime: 'x' }]],
      [
        'write',
        [
          'reanalysis',
          {
            ...{ slug: 'temp_mean', units: 'degC', axis: { firstDay: 1, days: 2, members: 1 } },
            places: { latitude: memory.latitude, longitude: memory.longitude },
            blocks: [new Float32Array(2)],
          },
        ],
      ],
      ['setElevation', [{ latitude: memory.latitude, longitude: memory.longitude, metres: new Float32Array(1) }]],
      ['setClimatology', ['observations', 'daily', 'temp_mean', climate]],
      ['addPreloaded', [{ latitude: memory.latitude, longitude: memory.longitude }]],
      ['setAttribution', ['me']],
      ['keep', ['timeline', ['temp_mean']]],
      ['keepIssued', ['short-term', { latitude: memory.latitude, longitude: memory.longitude }]],
      [
        'append',
        [
          'reanalysis',
          {
            ...{ slug: 'temp_mean', units: 'degC', axis: { firstDay: 1, days: 2, members: 1 } },
            places: { latitude: memory.latitude, longitude: memory.longitude },
            blocks: [new Float32Array(2)],
          },
        ],
      ],
    ] as const
  ).map(
    ([name, args]): Call => ({
      name: `StoreUpdate.${name}`,
      isSlow: true,
      depth: 3,
      args: () => args,
      run: async (...given) => {
        const one = await serviceNode.beginUpdate(listed);
        try {
          await (one[name] as (...all: unknown[]) => unknown)(...given);
        } finally {
          await one.abandon();
        }
      },
    }),
  ),
  // plumecast/service: the handler
  {
    name: 'createHandler',
    isSlow: true,
    run: service.createHandler,
    args: () => [
      {
        ...{ source, keys, locations: service.memoryLocations([]), answers: service.createAnswers(), basePath: '/x' },
        ...{ variables: [], now: () => new Date(), responseCacheBytes: 0, rateLimit: () => undefined },
        ...{ onRequest: () => {}, onError: () => {}, onMetric: () => {}, cors: { origins: ['https://x.org'] } },
      },
    ],
  },
  { name: 'createAnswers', run: service.createAnswers, args: () => [{ core, variables: [] }] },
  { name: 'openApiDocument', run: service.openApiDocument, args: () => [{ basePath: '/x', variables: [] }] },
  // plumecast/service: ingest
  {
    name: 'ingestForecast',
    run: service.ingestForecast,
    args: () => [
      core,
      writer(),
      {
        ...{ files: [file], initTime: '2026-03-02T00:00:00Z', nextInitTime: '2026-03-03T00:00:00Z' },
        ...{ version: 'v', generation: 'g', pairBy: 'temp_mean', variables: [], onNotice: () => {} },
        ...{ minMembers: 1, minDays: 1 },
      },
    ],
    depth: 4,
  },
  {
    name: 'reblendForecast',
    run: service.reblendForecast,
    args: () => [core, stored(), { pairBy: 'temp_mean', onNotice: () => {} }],
  },
  {
    name: 'refreshClimatologies',
    run: service.refreshClimatologies,
    args: () => [core, stored(), { variables: ['temp_mean'], granularities: ['monthly'], onVariable: () => {} }],
  },
  {
    name: 'ingestHistory',
    run: service.ingestHistory,
    args: () => [
      writer(),
      'reanalysis',
      { files: [{ source: 'a', load: async () => history }], variables: [], onNotice: () => {} },
    ],
    depth: 4,
  },
  {
    name: 'ingestClimatology',
    run: service.ingestClimatology,
    args: () => [writer(), 'observations', { files: [{ source: 'a', load: async () => climate }], variables: [] }],
    depth: 4,
  },
  { name: 'ingestElevation', run: service.ingestElevation, args: () => [writer(), table, 'x'] },
  {
    name: 'blendedDataset',
    run: service.blendedDataset,
    args: () => [core, { 'short-term': dataset }, { pairBy: 'temp_mean' }],
  },
  // plumecast/service: responses
  {
    name: 'statisticsJson',
    run: service.statisticsJson,
    args: () => [statistics(core, table), { downscaled: false, variables: [] }],
  },
  // plumecast/client
  {
    name: 'createClient',
    run: createClient,
    args: () => [
      {
        ...{ baseUrl: 'https://example.org', apiKey: 'k', headers: { a: 'b' }, timeoutMs: 10 },
        fetch: async () => new Response('{}'),
      },
    ],
  },
  ...(['forecast', 'forecastStatistics', 'history'] as const).map(
    (name): Call => ({
      name: `Client.${name}`,
      run: async (query, how) => {
        const client = createClient({ baseUrl: 'https://x.org', apiKey: 'k', fetch: async () => new Response('{}') });
        const call: (...args: never[]) => Promise<unknown> = client[name];
        await call(query, how).catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error;
        });
      },
      args: () => [
        {
          ...{ latitude: 1, longitude: 2, variables: ['temp_mean'], startDate: '2026-03-02', endDate: '2026-03-03' },
          ...{ useDownscaling: true, granularity: 'weekly', quantiles: [0.5] },
          ...{ thresholds: { temp_mean: ['>20'] }, terciles: true },
        },
        { as: 'json', previous: {}, signal: new AbortController().signal },
      ],
    }),
  ),
  ...(['forecast', 'history', 'climatology'] as const).map(
    (name): Call => ({
      name: `V1Client.${name}`,
      run: async (...values: readonly never[]) => {
        const fetch = async () => new Response('{}');
        const { v1 } = createClient({ baseUrl: 'https://x.org', apiKey: 'k', fetch, v1: v1Endpoints });
        const call: (...args: never[]) => Promise<unknown> = v1[name];
        await call(...values).catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error;
        });
      },
      args: () => [
        ...(name === 'forecast' ? ['seasonal'] : []),
        { latitude: 1, longitude: 2, variables: ['temp_mean'], ...(name !== 'history' && { granularity: 'daily' }) },
        { previous: {}, signal: new AbortController().signal },
      ],
    }),
  ),
  // plumecast/files: arrays
  {
    name: 'gridEnsemble',
    run: files.gridEnsemble,
    args: () => [
      arrayFile,
      {
        variable: 'temp_mean',
        variables: [],
        array: 'temp_mean',
        stamps: 'start',
        accumulation: 'per-step',
      },
    ],
  },
  {
    name: 'joinArrays',
    run: files.joinArrays,
    args: () => [[{ ...arrayFile, close: async () => {} }], { join: 'mem{member}' }],
  },
  { name: 'gridEnsembles', run: files.gridEnsembles, args: () => [arrayFile, { variables: [] }] },
  { name: 'gridArrays', run: files.gridArrays, args: () => [arrayFile, { variables: [], stamps: 'start' }] },
  {
    name: 'GridEnsemble.blocks',
    run: async (of: never, cuts: never) => (await files.gridEnsemble(arrayFile)).blocks(of, cuts),
    args: () => [1e6, [1]],
  },
  {
    name: 'GridEnsemble.read',
    run: async (block: never, into: never) => (await files.gridEnsemble(arrayFile)).read(block, into),
    args: () => [{ cell: 0, cells: 1, day: 0, days: 2 }, core],
  },
  { name: 'openArrays of bytes', run: files.openArrays, args: () => [new Uint8Array(9), 'x'] },
  {
    name: 'openArrays of a store',
    run: files.openArrays,
    args: () => [
      { get: async () => undefined },
      {
        ...{ arrays: ['a'], missingChunks: 'fill', concurrency: 2, cache: new files.ChunkCache(10), source: 'x' },
        ...{ signal: new AbortController().signal },
        http: {
          headers: {},
          fetch: async () => new Response(),
          missingStatuses: [404],
          timeoutSeconds: 1,
          retries: 0,
        },
      },
    ],
  },
  { name: 'ChunkCache', run: (of) => new files.ChunkCache(of), args: () => [10] },
  // plumecast/files/node
  {
    name: 'writeNetcdf of a table',
    run: filesNode.writeNetcdf,
    args: () => [
      join(dir, 'c.nc'),
      table,
      { source: 'x', variable: findVariable('temp_mean'), variables: [], columns: { latitude: 'latitude' } },
    ],
    depth: 1,
    isTried: (path, value) => path !== '0' || typeof value !== 'string',
  },
  {
    name: 'writeNetcdf',
    run: filesNode.writeNetcdf,
    args: () => [join(dir, 'b.nc'), { ...content, arrays: content.arrays.slice(0, 2) }, { deflate: 1 }],
    depth: 3,
    isTried: (path, value) => path !== '0' || typeof value !== 'string',
  },
  {
    name: 'writeZarr of a table',
    run: filesNode.writeZarr,
    args: () => [
      join(dir, 'c.zarr'),
      table,
      { source: 'x', variable: findVariable('temp_mean'), variables: [], columns: { latitude: 'latitude' } },
    ],
    depth: 1,
    isTried: (path, value) => path !== '0' || typeof value !== 'string',
  },
  {
    name: 'writeZarr',
    run: filesNode.writeZarr,
    args: () => [join(dir, 'b.zarr'), { ...content, arrays: content.arrays.slice(0, 2) }, { compression: 'none' }],
    depth: 3,
    isTried: (path, value) => path !== '0' || typeof value !== 'string',
  },
  { name: 'openArrays', run: filesNode.openArrays, args: () => ['x'] },
  {
    name: 'openArrays of the folder of a store',
    run: filesNode.openArrays,
    args: () => ['x', { arrays: ['a'] }],
  },
  { name: 'zarrFolder', run: filesNode.zarrFolder, args: () => ['x'] },
  {
    name: 'ensembleNetcdf',
    run: filesNode.ensembleNetcdf,
    args: () => [
      {
        ...{ variable: findVariable('temp_mean'), units: 'degC', metadata: new Map(), type: 'float32', cells: 1 },
        ...{ members: ['a'], firstDay: 1, days: 2 },
        grid: { kind: 'places', latitude: memory.latitude, longitude: memory.longitude },
      },
      [{ cell: 0, cells: 1, day: 0, days: 2 }],
      () => field,
    ],
  },
  // plumecast/service: gridded stores
  {
    name: 'zarrSource',
    run: zarrSource,
    args: () => [
      { history: { store: { get: async () => undefined }, group: 'x', arrays: {}, stamps: 'start' } },
      {
        ...{ zarr: { concurrency: 2 }, cacheBytes: 1000, refreshSeconds: 1, onFault: () => {}, core, variables: [] },
        ...{ pairBy: 'temp_mean', version: 'v', attribution: 'me' },
      },
    ],
    depth: 3,
    isTried: (path, value) => noTexts(path, value) && path !== '0.history.store.source',
  },
  // plumecast/batch
  {
    name: 'runBatch',
    run: batch.runBatch,
    args: () => [
      {
        ...{
          inputs: [join(dir, 'no-such-file')],
          out: join(dir, 'out'),
          variables: ['precipitation'],
          format: 'arrow',
        },
        ...{ granularities: ['daily'], thresholds: ['>5'], climatologies: [], compression: 'zstd', workers: 1 },
        ...{ name: '{input}', memory: '500MB', onError: 'stop', quantiles: [0.5], quantileType: 7, spread: true },
        ...{ startDate: '2026-03-02', endDate: '2026-03-05', partial: false, minMemberShare: 0.5 },
        ...{ point: { latitude: 1, longitude: 2 }, columns: { latitude: 'lat' }, exceed: [0.9], anomaly: true },
        ...{ units: 'mm', stamps: 'start', accumulation: 'per-step', array: 'x', init: '2026-03-02' },
        ...{ missing: -9999, sort: true, decimal: ',' },
      },
      {
        ...{ resume: false, changedOnly: false, overwrite: false, signal: new AbortController().signal },
        onEvent: () => {},
      },
    ],
    isTried: (path, value) => path !== '0.out' || typeof value !== 'string',
  },
  // plumecast/plot
  {
    name: 'meteogram',
    isSlow: true,
    run: plot.meteogram,
    args: () => [
      [
        {
          ...{ ensemble: table, statistics: [statistics(core, table)], climatology: climate, thresholds: [5] },
          ...{ variable: 'temp_mean', columns: { latitude: 'latitude' } },
          point: { latitude: 37.25, longitude: -80 },
        },
      ],
      {
        width: 500,
        panelHeight: 100,
        height: 300,
        theme: 'dark',
        title: 'a',
        members: true,
        amounts: 'bars',
        fill: true,
      },
    ],
    depth: 3,
  },
  // plumecast/element
  { name: 'definePlumeChart', run: definePlumeChart, args: () => ['plume-chart'] },
  // plumecast/skill
  { name: 'scoreCases', run: skillDoor.scoreCases, args: () => [skill, cases, ['crps']] },
  { name: 'scoreEvent', run: skillDoor.scoreEvent, args: () => [skill, cases, '>2'] },
  { name: 'crpsDecomposition', run: skillDoor.crpsDecomposition, args: () => [skill, cases] },
  {
    name: 'Verification',
    run: (...args: ConstructorParameters<typeof skillDoor.Verification>) => new skillDoor.Verification(...args),
    args: () => [
      skill,
      { conditions: ['>1'], categories: 0, quantiles: [0.5], decomposition: false, minMemberShare: 0.5 },
    ],
  },
  {
    name: 'Verification.add',
    run: (given: skillDoor.VerifiedCases, each?: skillDoor.EachCase) =>
      new skillDoor.Verification(skill).add(given, each),
    args: () => [
      { ...cases, reference: cases.members, weights: Float64Array.of(1), group: [0], groups: [{ block: 1 }] },
    ],
  },
  {
    name: 'Verification.merge',
    run: (other: skillDoor.Verification) => verified.merge(other),
    args: () => [new skillDoor.Verification(skill)],
  },
  { name: 'falseDiscoveries', run: skillDoor.falseDiscoveries, args: () => [[0.1, 0.2], 0.1] },
  {
    name: 'verificationScores',
    run: skillDoor.verificationScores,
    args: () => [verified, { by: [], samples: 100, seed: 1 }],
  },
  { name: 'verificationState', run: skillDoor.verificationState, args: () => [verified, {}] },
  {
    name: 'readVerification',
    run: skillDoor.readVerification,
    args: () => [skill, skillDoor.verificationState(verified), 'a'],
  },
  {
    name: 'verify',
    run: skillDoor.verify,
    args: () => [core, skill, { forecasts: [table], observed: history }, { granularity: 'daily', against: 'none' }],
  },
  {
    name: 'verificationTable',
    run: skillDoor.verificationTable,
    args: () => [
      { verification: verified, about: {} },
      { by: [], samples: 100, seed: 1, table: 'scores' },
    ],
  },
  {
    name: 'verificationFigure',
    isSlow: true,
    run: plot.verificationFigure,
    args: () => [
      { verification: verified, about: {} },
      { figure: 'ranks', by: [], samples: 100, seed: 1, width: 400, theme: 'dark', title: 'a', coastlines: 'none' },
    ],
  },
  // plumecast/demo
  { name: 'demoTable', run: demo.demoTable, args: () => ['temp_mean', demoOptions], depth: 4 },
  { name: 'demoTables', run: demo.demoTables, args: () => [demoOptions], depth: 4 },
  {
    name: 'demoStore',
    isSlow: true,
    run: demo.demoStore,
    args: () => [{ initDate: 20_514, seasonalMembers: 2 }],
  },
  {
    name: 'generateEnsemble',
    run: demo.generateEnsemble,
    args: () => [{ seed: 1, latitude: 1, longitude: 2, initDate: 20_514, days: 2, members: 2 }],
  },
  {
    name: 'generateMember',
    run: demo.generateMember,
    args: () => [{ seed: 1, latitude: 1, longitude: 2, initDate: 20_514, days: 2 }, 1],
  },
];
