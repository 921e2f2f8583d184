/**
 * Calls with arguments that are wrong: each argument and option of a good call is replaced by odd values in turn. What
 * is recorded is the class of the error, or that the value was taken.
 */
import { errorFacts } from './digest.mjs';
import { FIRST_DAY, seededField } from './made-data.mjs';

const ODD_VALUES = {
  ...{
    null: null,
    object: {},
    'empty list': [],
    'list of null': [null],
    'empty text': '',
    text: 'odd',
    NaN: Number.NaN,
  },
  ...{
    '-1': -1,
    1.5: 1.5,
    '1e9': 1e9,
    Infinity: Number.POSITIVE_INFINITY,
    bigint: 10n,
    true: true,
    function: () => undefined,
  },
  ...{ 'bad date': new Date(Number.NaN), bytes: new Uint8Array([1, 2, 3]), integers: new Int32Array(2) },
};

/** A case for each place of each call: `{ name, run }`. */
export async function wrongCallCases({ api }) {
  const core = await api.loadCore();
  return Object.entries(await goodCalls(api, core)).flatMap(([label, { name, args, isTried = () => true }]) =>
    pathsOf(args(), 2)
      .filter((path) => isTried(path.join('.')))
      .map((path) => ({
        name: `wrong ${label}(${path.join('.')})`,
        run: () => outcomes(api[name ?? label], args, path),
      })),
  );
}

async function outcomes(call, args, path) {
  const facts = {};
  const words = [];
  for (const [odd, value] of Object.entries(ODD_VALUES)) {
    const { error, words: message } = await outcome(() => call(...replaced(args(), path, value)));
    facts[odd] = error ?? 'taken';
    if (message !== undefined) words.push(`${odd}: ${message}`);
  }
  return { ...facts, ...(words.length > 0 && { words: words.join('\n') }) };
}

async function outcome(call) {
  try {
    const result = await call();
    if (typeof result?.next === 'function') {
      await result.next();
      await result.return?.();
    }
    if (typeof result?.close === 'function') await result.close();
    return {};
  } catch (error) {
    return errorFacts(error);
  }
}

/** The places of arguments, and of what lies in those that are plain objects or lists. */
function pathsOf(value, depth) {
  const keys = Array.isArray(value) ? value.map((_, key) => key) : isPlain(value) ? Object.keys(value) : [];
  return keys.flatMap((key) => [
    [key],
    ...(depth > 0 ? pathsOf(value[key], depth - 1).map((path) => [key, ...path]) : []),
  ]);
}

function replaced(value, [key, ...rest], by) {
  const next = rest.length === 0 ? by : replaced(value[key], rest, by);
  return Array.isArray(value) ? value.map((item, k) => (k === key ? next : item)) : { ...value, [key]: next };
}

function isPlain(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Calls that are good as they are, by a label; `name` is the function where that is another one. */
async function goodCalls(api, core) {
  const place = { latitude: 37.25, longitude: -80 };
  const run = { days: 8, members: 3, locations: [place] };
  const table = api.demoTable('temp_mean', run);
  const later = api.demoTable('temp_mean', { ...run, initDate: FIRST_DAY + 3 });
  const past = api.demoTable('temp_mean', { ...run, initDate: 8400, days: 3 * 366, members: 1 });
  const own = api.defineVariable({ slug: 'own', units: 'mm', window: 'sum' });
  const reading = { variable: 'temp_mean', variables: [own], columns: { latitude: 'latitude' }, source: 'x' };
  const windows = {
    granularity: 'daily',
    startDate: '2026-03-02',
    endDate: '2026-03-05',
    partial: false,
    window: 'mean',
    point: place,
    ...reading,
  };
  const options = {
    quantiles: [0.5],
    quantileType: 7,
    thresholds: ['>5'],
    spread: true,
    minMemberShare: 0.5,
    ...windows,
  };
  const { columns, variables } = reading;
  const seams = { overlaps: [2], lastLeads: [null, null], keepGaps: false };
  const joining = {
    names: ['a', 'b'],
    sources: ['a', 'b'],
    method: 'field',
    columns,
    variables,
    ...seams,
  };
  const reference = { reference: '1993-1994', categories: 3, quantiles: [0.9], variable: 'temp_mean' };
  const { point: _, startDate: __, endDate: ___, partial: ____, ...climateWindows } = windows;
  const normal = api.climatology(core, past, reference);
  const field = seededField(api, { days: 14, cells: 2, members: 3 });
  const fieldWindows = api.windowTable('weekly', field.firstDay, field.firstDay + 13, { partial: true });
  const request = {
    window: 'sum',
    quantiles: [0.1],
    quantileType: 7,
    thresholds: [{ operator: '>', limit: 1 }],
    spread: true,
    minMemberShare: 0.8,
  };
  const timeline = api.blend(core, [table, later], { overlaps: [2] });
  const memory = {
    ...{ revision: 'r', latitude: Float64Array.of(37.25), longitude: Float64Array.of(-80) },
    variables: { temp_mean: { firstDay: FIRST_DAY, days: 2, members: 1, values: new Float32Array(2) } },
  };
  const demo = {
    seed: 1,
    locations: [{ latitude: 1, longitude: 2 }],
    initDate: FIRST_DAY,
    days: 2,
    members: 2,
    horizon: 'seasonal',
    version: 'v',
    generation: 'g',
  };
  const source = api.memorySource({});
  const keys = api.memoryKeys([{ id: 'a', owner: 'me', downscaling: false, key: 'k' }]);
  const bytes = new TextEncoder().encode('date,m1,m2\n2026-03-02,1,2\n2026-03-03,3,4\n');
  const daily = await api.readTable(bytes);
  const plan = {
    ...{
      inputs: ['no-such-file'],
      out: 'out',
      variables: ['temp_mean'],
      format: 'arrow',
      granularities: ['daily'],
      thresholds: ['>5'],
    },
    ...{
      climatologies: [],
      compression: 'zstd',
      workers: 1,
      name: '{input}',
      memory: '500MB',
      onError: 'stop',
      quantiles: [0.5],
    },
    ...{
      quantileType: 7,
      spread: true,
      startDate: '2026-03-02',
      endDate: '2026-03-05',
      partial: false,
      minMemberShare: 0.5,
      point: place,
    },
    ...{
      columns: { latitude: 'lat' },
      exceed: [0.9],
      anomaly: true,
      units: 'degC',
      stamps: 'start',
      accumulation: 'per-step',
      array: 'x',
    },
    ...{ init: '2026-03-02', missing: -9999, sort: true, decimal: ',' },
  };
  const isNoFolder = (path) => !path.startsWith('0.out') && !path.startsWith('0.inputs');
  return {
    statistics: { args: () => [core, table, options] },
    memberWindows: { args: () => [core, table, windows] },
    computeStatistics: { args: () => [core, field, fieldWindows, request] },
    computeMemberWindows: { args: () => [core, field, fieldWindows, 'sum'] },
    createPool: { args: () => [{ threads: 0 }] },
    blend: { args: () => [core, [table, later], { ...joining, variable: 'temp_mean' }] },
    'blend with a pairing': {
      name: 'blend',
      args: () => [core, [table, later], { pairing: timeline.pairing }],
      isTried: (path) => !path.startsWith('2.pairing.'),
    },
    pairMembers: { args: () => [core, [table, later], joining] },
    blendVariables: {
      args: () => [core, [{ temp_mean: table }, { temp_mean: later }], { ...joining, pairBy: 'temp_mean' }],
    },
    climatology: {
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
    readClimatology: { args: () => [api.climatologyTable(normal), { variables, source: 'x' }] },
    statisticsAgainst: {
      args: () => [core, table, normal, { ...options, exceed: [0.9], anomaly: true }],
      isTried: (path) => !path.startsWith('2.'),
    },
    deriveVariable: {
      args: () => [
        'dew_point',
        { temp_mean: table, relative_humidity: api.demoTable('relative_humidity', run) },
        { elevation: 500 },
      ],
    },
    fillGaps: { args: () => [[{ name: 'a', table: past }], { variable: 'temp_mean', variables, columns }] },
    dailyTable: {
      args: () => [
        daily,
        { variable: api.findVariable('temp_mean'), units: 'degC', stamps: 'start', missing: -1, sort: true },
      ],
      isTried: (path) => !path.includes('variable.'),
    },
    detectFormat: { args: () => [bytes, 'x'] },
    readTable: { args: () => [bytes, { source: 'x', decimal: '.' }] },
    ...Object.fromEntries(
      ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet'].map((format) => [
        `writeTable as ${format}`,
        { name: 'writeTable', args: () => [table, format, { compression: 'none' }] },
      ]),
    ),
    encodeTables: { args: () => [[table], 'csv', { compression: 'none' }] },
    dayNumber: { args: () => [2024, 2, 29] },
    civilDate: { args: () => [20_000] },
    parseDate: { args: () => ['2024-02-29'] },
    formatDate: { args: () => [20_000] },
    isoWeek: { args: () => [20_000] },
    weekStart: { args: () => [2020, 53] },
    weeksInYear: { args: () => [2020] },
    parseWeek: { args: () => ['2020-W53'] },
    formatWeek: { args: () => [2020, 53] },
    monthStart: { args: () => [2020, 2] },
    monthEnd: { args: () => [2020, 2] },
    parseMonth: { args: () => ['2020-02'] },
    formatMonth: { args: () => [2020, 2] },
    parsePeriod: { args: () => ['2020-02'] },
    periodKey: { args: () => ['weekly', 20_000] },
    windowTable: { args: () => ['weekly', 20_000, 20_020, { partial: true }] },
    defineVariable: { args: () => [{ slug: 'own', units: 'mm', window: 'sum', bounds: [0, 1], fileNames: ['x'] }] },
    findVariable: { args: () => ['temp_mean', variables], isTried: (path) => !path.startsWith('1.0.') },
    readArrowInto: { args: () => [core, bytes, { source: 'x' }] },
    statisticsOfBatches: {
      args: () => [core, table.batches, { granularity: 'daily' }],
      isTried: (path) => !path.startsWith('1.0.'),
    },
    statisticsOfArrowFile: { args: () => [core, 'no-such-file', { granularity: 'daily' }] },
    tablesOfFile: { args: () => [core, 'no-such-file', { source: 'x', columns: ['a'], bytes: 1e6, decimal: '.' }] },
    memoryDataset: { args: () => [memory] },
    memoryKeys: { args: () => [[{ id: 'a', owner: 'me', downscaling: false, key: 'k' }]] },
    memoryLocations: { args: () => [[{ id: 'a', latitude: 1, longitude: 2, owner: 'me' }]] },
    gapFilled: { args: () => [[{ name: 'a', data: api.memoryDataset(memory) }]] },
    hashKey: { args: () => ['k'] },
    openStore: { args: () => ['demo', { reads: 'direct', refreshSeconds: 1 }] },
    openKeys: {
      args: () => ['demo', { rejectDemoKeys: true }],
      isTried: (path) => path !== '1.rejectDemoKeys',
    },
    openLocations: { args: () => ['demo', {}] },
    createHandler: {
      args: () => [
        {
          source,
          keys,
          locations: api.memoryLocations([]),
          basePath: '/x',
          variables: [],
          responseCacheBytes: 0,
          now: () => new Date(0),
          cors: { origins: ['https://x.org'] },
        },
      ],
    },
    openApiDocument: { args: () => [{ basePath: '/x', variables: [] }] },
    createClient: {
      args: () => [
        {
          baseUrl: 'https://example.org',
          apiKey: 'k',
          headers: { a: 'b' },
          timeoutMs: 10,
          fetch: async () => new Response('{}'),
        },
      ],
    },
    openNetcdf3: { args: () => [new Uint8Array(9), 'x'] },
    openNetcdf4: { args: () => [new Uint8Array(9), 'x'] },
    openArrayFile: { args: () => ['no-such-file'] },
    openZarrFolder: { args: () => ['no-such-folder', { arrays: ['a'] }] },
    ensembleContentOfTable: { args: () => [table, { source: 'x' }] },
    resultsOfTable: { args: () => [api.statistics(core, table), { variables: [], source: 'x' }] },
    runBatch: { args: () => [plan, { resume: false, changedOnly: false, overwrite: false }], isTried: isNoFolder },
    demoTable: { args: () => ['temp_mean', demo] },
    demoStore: { args: () => [{ initDate: FIRST_DAY, seasonalMembers: 2 }] },
    generateEnsemble: {
      args: () => [{ seed: 1, latitude: 1, longitude: 2, initDate: FIRST_DAY, days: 2, members: 2 }],
    },
    generateMember: { args: () => [{ seed: 1, latitude: 1, longitude: 2, initDate: FIRST_DAY, days: 2 }, 1] },
  };
}
