/** Calls of the library that are recorded: results to the last bit, and errors by their classes. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf, outcomeOf, sha256 } from './digest.mjs';
import { FIRST_DAY, PLACES, seededField, shapedTables } from './made-data.mjs';

/** All cases of the library: `{ name, run }`. */
export async function callCases(context) {
  const { api } = context;
  const core = await api.loadCore();
  const known = { ...context, core, tables: shapedTables(api) };
  const calls = {
    ...periodCalls(known),
    ...variableCalls(known),
    ...demoCalls(known),
    ...statisticsCalls(known),
    ...arrayCalls(known),
    ...poolCalls(known),
    ...blendCalls(known),
    ...climateCalls(known),
    ...historyCalls(known),
    ...tableCalls(known),
    ...streamCalls(known),
    ...gridCalls(known),
    ...respondCalls(known),
    ...batchCalls(known),
  };
  return Object.entries(calls).map(([name, call]) => ({ name: `call ${name}`, run: () => outcomeOf(call) }));
}

function named(names, call) {
  return Object.fromEntries(names.map((name) => [name, () => call(name)]));
}

function periodCalls({ api }) {
  const days = [];
  for (let day = -719_000; day < 2_900_000; day += 997) days.push(day);
  for (let day = 10_000; day < 24_000; day++) days.push(day);
  const { parseDate, dayNumber, isoWeek, windowTable } = api;
  const ranges = [
    [FIRST_DAY, FIRST_DAY + 44],
    [FIRST_DAY + 3, FIRST_DAY + 3],
    [dayNumber(1999, 12, 20), dayNumber(2021, 1, 10)],
    [dayNumber(1, 1, 1), dayNumber(1, 3, 5)],
  ];
  const years = Array.from({ length: 600 }, (_, year) => 1600 + year);
  return {
    ...Object.fromEntries(
      ['civilDate', 'formatDate', 'isoWeek', 'weekday'].map((name) => [
        `${name} of many days`,
        () => days.map((day) => api[name](day)),
      ]),
    ),
    'parseDate of many days': () => days.map((day) => parseDate(api.formatDate(day))),
    'periodKey of many days': () =>
      ['daily', 'weekly', 'monthly'].map((granularity) => days.map((day) => api.periodKey(granularity, day))),
    'parsePeriod of many periods': () =>
      ['daily', 'weekly', 'monthly'].map((granularity) =>
        days.map((day) => api.parsePeriod(api.periodKey(granularity, day))),
      ),
    'weeks of years': () => years.map((year) => [api.weeksInYear(year), api.weekStart(year, 1), api.isLeapYear(year)]),
    'months of years': () =>
      years.map((year) =>
        [2, 9].map((m) => [api.daysInMonth(year, m), api.monthStart(year, m), api.monthEnd(year, m)]),
      ),
    'texts of weeks and months': () => [
      ...[api.formatWeek(2020, 53), api.parseWeek('2020-W53'), api.formatMonth(2020, 2), api.parseMonth('2020-02')],
      ...[isoWeek(dayNumber(2027, 1, 1)), parseDate('2024-02-29'), api.FIRST_DAY, api.LAST_DAY, api.GRANULARITIES],
    ],
    ...Object.fromEntries(
      ranges.flatMap(([from, to]) =>
        ['daily', 'weekly', 'monthly'].flatMap((granularity) =>
          [false, true].map((partial) => [
            `windowTable ${granularity}, ${from} to ${to}${partial ? ', partial' : ''}`,
            () => publicWindows(windowTable(granularity, from, to, { partial })),
          ]),
        ),
      ),
    ),
  };
}

/** The columns of a window table. */
function publicWindows(windows) {
  return Object.fromEntries(Object.entries(windows).filter(([, field]) => typeof field !== 'function'));
}

const FORMULAS = {
  ...{
    saturationVaporPressure: [[20], [-5.5]],
    saturationVaporPressureSlope: [[20]],
    meanSaturationVaporPressure: [[12, 25]],
  },
  ...{
    actualVaporPressure: [[12, 25, 60]],
    vaporPressureDeficit: [[12, 25, 60]],
    dewPoint: [
      [20, 55],
      [20, 0],
    ],
  },
  ...{ relativeHumidity: [[20, 11]], atmosphericPressure: [[0], [1800]], psychrometricConstant: [[81.8]] },
  ...{
    extraterrestrialRadiation: [
      [-20, 246],
      [80, 10],
    ],
    clearSkyRadiation: [[38, 100]],
    windSpeedAt2m: [
      [3.2, 10],
      [2, 2],
    ],
  },
  ...{ netShortwaveRadiation: [[14.5]], netRadiation: [[10, 3]] },
};

function variableCalls({ api }) {
  const names = [
    'tp',
    '2t',
    'temp_mean',
    'APCP',
    'tasmax',
    'wind_gusts_10m_max',
    'pr',
    'sfcWind',
    'Nothing',
    '10fg',
    'mx2t24',
    'precipitation_sum',
  ];
  const units = ['mm', 'kg m-2', 'K', 'degC', 'm s-1', 'km/h', 'inch', 'W m-2', 'MJ m-2', 'furlong'];
  const all = [...(api.variables.values?.() ?? api.variables)];
  return {
    variables: () => all,
    'lists of variables': () => [api.DERIVED_INPUTS, api.HORIZONS, api.PRODUCTS, api.WINDOW_RULES, api.DEMO_VARIABLES],
    'variableByName of many names': () => names.map((name) => api.variableByName(name)?.slug ?? null),
    'findVariable of all': () => all.map(({ slug }) => api.findVariable(slug).slug),
    'nearestName of misspelt names': () =>
      ['temp_maen', 'precip', 'xyz'].map((name) => api.nearestName(name, ['temp_mean', 'precipitation'])),
    'unitsAgree of all pairs': () => units.flatMap((one) => units.map((other) => api.unitsAgree(one, other))),
    defineVariable: () =>
      api.defineVariable({ slug: 'own', units: 'mm', window: 'sum', bounds: [0, 1], fileNames: ['x'] }),
    'isAvailable of all': () =>
      all.map((variable) =>
        ['short-term', 'seasonal', 'history'].map((product) => api.isAvailable(variable, product, 20)),
      ),
    ...named(Object.keys(FORMULAS), (name) => FORMULAS[name].map((args) => api[name](...args))),
    netLongwaveRadiation: () =>
      api.netLongwaveRadiation({
        tempMin: 19.1,
        tempMax: 25.1,
        vaporPressure: 2.1,
        solarRadiation: 14.5,
        clearSkyRadiation: 18.8,
      }),
    referenceEvapotranspiration: () =>
      api.referenceEvapotranspiration({
        ...{
          netRadiation: 13.28,
          temperature: 16.9,
          windSpeed: 2.078,
          vaporPressureDeficit: 0.589,
          psychrometricConstant: 0.0666,
        },
      }),
  };
}

function demoCalls({ api }) {
  const place = { latitude: 37.3, longitude: -79.84, initDate: FIRST_DAY, days: 40 };
  return {
    generateEnsemble: () => api.generateEnsemble({ ...place, seed: 3, members: 5 }),
    'generateEnsemble far south': () =>
      api.generateEnsemble({ ...place, latitude: -60, longitude: 300, seed: 9, members: 2 }),
    generateMember: () => api.generateMember({ ...place, seed: 3 }, 4),
    ...Object.fromEntries(
      api.DEMO_VARIABLES.map((slug) => [
        `demoTable ${slug}`,
        () => api.demoTable(slug, { days: 50, members: 3, locations: PLACES }),
      ]),
    ),
    demoStore: async () => {
      const store = api.demoStore({ initDate: FIRST_DAY, seasonalMembers: 3 });
      const tables = [
        store.forecasts[0],
        store.forecasts.at(-1),
        store.history.analysis[0],
        store.history['fine-analysis'][0],
      ];
      return [
        await Promise.all(tables.map((file) => file.load())),
        store.grid,
        store.forecasts.map(({ source }) => source),
      ];
    },
  };
}

const STATISTICS = {
  'by default': {},
  weekly: { granularity: 'weekly' },
  'monthly, partial': { granularity: 'monthly', partial: true },
  'sums of all': { granularity: 'weekly', window: 'sum', partial: true },
  'means of all': { granularity: 'weekly', window: 'mean', partial: true },
  'lowest of all': { granularity: 'weekly', window: 'min', partial: true },
  'highest of all': { granularity: 'weekly', window: 'max', partial: true },
  'spread and thresholds': {
    granularity: 'weekly',
    spread: true,
    thresholds: ['>5', '<=1', { operator: '>=', limit: 0.5 }],
  },
  'no quantiles': { granularity: 'weekly', quantiles: [] },
  'some dates': { granularity: 'weekly', startDate: '2026-03-05', endDate: '2026-03-28', partial: true },
  'a point': { granularity: 'weekly', point: { latitude: 37.4, longitude: -80.1 } },
  'any share of members': { granularity: 'weekly', minMemberShare: 0.1 },
  'all members': { granularity: 'weekly', minMemberShare: 1, partial: true },
  'a calendar': { granularity: 'monthly', calendar: 'noleap', partial: true },
};

function statisticsCalls({ api, core, tables }) {
  const { statistics, memberWindows } = api;
  const types = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const of = (shape, options) =>
    statistics(core, tables[shape], shape === 'long' ? { variable: 'precipitation', ...options } : options);
  return {
    ...Object.fromEntries(
      Object.keys(tables).flatMap((shape) =>
        Object.entries(STATISTICS).map(([name, options]) => [
          `statistics of ${shape}, ${name}`,
          () => of(shape, options),
        ]),
      ),
    ),
    ...Object.fromEntries(
      types.map((quantileType) => [
        `statistics, quantiles of type ${quantileType}`,
        () =>
          ['wide', 'warm', 'long'].map((shape) =>
            of(shape, { granularity: 'weekly', quantileType, quantiles: [0, 0.05, 0.5, 0.9, 1] }),
          ),
      ]),
    ),
    ...Object.fromEntries(
      ['daily', 'weekly', 'monthly'].map((granularity) => [
        `memberWindows, ${granularity}`,
        () => memberWindows(core, tables.wide, { granularity, partial: true }),
      ]),
    ),
    'names of quantiles': () => [0, 0.05, 0.333333, 0.5, 0.999, 1].map((p) => api.quantileName(p)),
    'names of thresholds': () =>
      ['>20', '>=0.5', '<-3', '<=1000'].map((text) => [
        api.parseThreshold(text),
        api.thresholdName(api.parseThreshold(text)),
      ]),
    'parseQuantiles and its default': () => [api.parseQuantiles('0.5,0.1'), api.DEFAULT_QUANTILES],
  };
}

function arrayCalls({ api, core }) {
  const fields = {
    float32: {},
    float64: { type: 'float64', seed: 2 },
    'cells fastest': { order: 'cell-fastest', cells: 40, seed: 3 },
    'missing values': { missing: 0.05, seed: 4 },
    'many missing values': { missing: 0.04, members: 31, type: 'float64', order: 'cell-fastest', seed: 5 },
    'one member': { members: 1, seed: 6 },
    '51 members': { members: 51, seed: 7 },
    '101 members of many cells': { members: 101, cells: 70, days: 30, order: 'cell-fastest', seed: 8, missing: 0.001 },
  };
  const request = (window, quantileType, windows) => ({
    ...{ window, quantileType, quantiles: [0.05, 0.25, 0.5, 0.75, 0.95], spread: true, minMemberShare: 0.8 },
    thresholds: [
      { operator: '>', limit: 1 },
      { operator: '<=', limit: 0 },
    ],
    ...(windows && { categories: [{ limits: [new Float32Array(windows.count).fill(2)], lower: 1 }] }),
  });
  const windowsOf = ({ firstDay, days }, granularity) =>
    api.windowTable(granularity, firstDay, firstDay + days - 1, { partial: true });
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, options]) => [
      ...['sum', 'mean', 'min', 'max'].map((window) => [
        `computeStatistics of ${name}, ${window}`,
        () => {
          const field = seededField(api, options);
          return ['daily', 'weekly', 'monthly'].map((granularity) =>
            columnsOf(api.computeStatistics(core, field, windowsOf(field, granularity), request(window, 7))),
          );
        },
      ]),
      [
        `computeStatistics of ${name}, all types of quantiles`,
        () => {
          const field = seededField(api, options);
          return [1, 2, 3, 4, 5, 6, 8, 9].map((type) =>
            columnsOf(api.computeStatistics(core, field, windowsOf(field, 'weekly'), request('sum', type))),
          );
        },
      ],
      [
        `computeMemberWindows of ${name}`,
        () => {
          const field = seededField(api, options);
          return ['sum', 'mean'].map((window) =>
            api.computeMemberWindows(core, field, windowsOf(field, 'weekly'), window),
          );
        },
      ],
      [
        `computeStatisticsInto of ${name}`,
        () => {
          const field = seededField(api, options);
          const windows = windowsOf(field, 'weekly');
          const into = api.computeStatistics(core, field, windows, request('sum', 7));
          const again = api.computeStatisticsInto(into, core, field, windows, request('mean', 7));
          return columnsOf(again ?? into);
        },
      ],
    ]),
  );
}

/** The result columns of statistics of arrays. */
function columnsOf({ length, mean, quantiles, spread, probabilities, categories, members }) {
  return { length, mean, quantiles, spread, probabilities, categories, members };
}

function poolCalls({ api, core, tables }) {
  const large = { cells: 800, days: 60, members: 31, order: 'cell-fastest', seed: 11, missing: 0.001 };
  const request = {
    window: 'sum',
    quantileType: 7,
    quantiles: [0.1, 0.5, 0.9],
    spread: true,
    minMemberShare: 0.8,
    thresholds: [],
  };
  const withPool = async (threads, use) => {
    const pool = await api.createPool({ threads });
    try {
      return await use(pool);
    } finally {
      await pool.close();
    }
  };
  const shared = (field) => {
    const members = field.members.map((column, m) => {
      const values = new Float32Array(new SharedArrayBuffer(4 * field.days * field.cells));
      column.copyTo(values, 0, 0, values.length);
      return new api.MemberColumn(`m${m}`, [{ values }]);
    });
    return { ...field, members };
  };
  return Object.fromEntries(
    [0, 2].flatMap((threads) => [
      [
        `pool of ${threads}, computeStatistics`,
        () =>
          withPool(threads, async (pool) => {
            const field = shared(seededField(api, large));
            const windows = api.windowTable('weekly', field.firstDay, field.firstDay + field.days - 1);
            const columns = columnsOf(await pool.computeStatistics(field, windows, request));
            const alone = columnsOf(api.computeStatistics(core, field, windows, request));
            return [columns, (await digestOf(columns)).sha256 === (await digestOf(alone)).sha256];
          }),
      ],
      [
        `pool of ${threads}, statistics of Arrow data in its memory`,
        () =>
          withPool(threads, async (pool) => {
            const { table, release } = await api.readArrowInto(pool.core, await api.writeTable(tables.wide, 'arrow'));
            const result = await digestOf(await pool.statistics(table, { granularity: 'weekly', spread: true }));
            release();
            return result;
          }),
      ],
      [
        `pool of ${threads}, after it is closed`,
        async () => {
          const pool = await api.createPool({ threads });
          await pool.close();
          return pool.statistics(tables.wide);
        },
      ],
    ]),
  );
}

function blendCalls({ api, core }) {
  const options = { locations: PLACES };
  const horizons = [
    api.demoTables({ ...options, days: 15, members: 9, seed: 2, horizon: 'short-term' }),
    api.demoTables({ ...options, days: 46, members: 13, seed: 3, horizon: 'subseasonal' }),
    api.demoTables({ ...options, days: 120, members: 7, seed: 1, horizon: 'seasonal' }),
  ];
  const of = (slug) => horizons.map((tables) => tables[slug]);
  const ways = {
    'by default': {},
    splice: { method: 'splice' },
    'field-wide': { fieldWide: true },
    'other overlaps': { overlaps: [5, 12], lastLeads: [12, 40, null] },
    'other names': { names: ['a', 'b', 'c'], sources: ['x', 'y', 'z'] },
  };
  const publicTimeline = ({ table, pairing, shares, notes }) => ({
    table,
    pairing: api.horizonShares(pairing, 3),
    shares,
    notes: notes.length,
  });
  const later = (days) =>
    api.demoTable('temp_mean', { ...options, days: 20, members: 9, initDate: FIRST_DAY + days, seed: 5 });
  return {
    ...Object.fromEntries(
      ['temp_mean', 'precipitation'].flatMap((slug) =>
        Object.entries(ways).map(([name, how]) => [
          `blend ${slug}, ${name}`,
          () => publicTimeline(api.blend(core, of(slug), how)),
        ]),
      ),
    ),
    ...Object.fromEntries(
      Object.entries(ways).map(([name, how]) => [
        `seamReport, ${name}`,
        () => api.seamReport(api.blend(core, of('temp_mean'), how)),
      ]),
    ),
    'blend by the pairing of another variable': () => {
      const pairing = api.pairMembers(core, of('temp_mean'));
      return api.blend(core, of('precipitation'), { pairing }).table;
    },
    blendVariables: () =>
      Object.entries(api.blendVariables(core, horizons)).map(([slug, timeline]) => [slug, publicTimeline(timeline)]),
    'blendVariables by precipitation': () =>
      Object.entries(api.blendVariables(core, horizons, { pairBy: 'precipitation', fieldWide: true })).map(
        ([slug, { table }]) => [slug, table],
      ),
    'blend of horizons that touch': () =>
      api.blend(core, [api.demoTable('temp_mean', { ...options, days: 15, members: 9 }), later(15)]).table,
    'blend over a gap': () =>
      api.blend(core, [api.demoTable('temp_mean', { ...options, days: 15, members: 9 }), later(18)]),
    'blend over a gap that is kept': () =>
      api.blend(core, [api.demoTable('temp_mean', { ...options, days: 15, members: 9 }), later(18)], { keepGaps: true })
        .table,
    'blend of different variables': () => api.blend(core, [horizons[0].temp_mean, horizons[1].precipitation]),
    'blend of one member': () =>
      api.blend(core, [horizons[0].temp_mean, api.demoTable('temp_mean', { ...options, members: 1 })]),
    'blend of other places': () => api.blend(core, [horizons[0].temp_mean, api.demoTable('temp_mean', {})]),
    'blend of nothing': () => api.blend(core, []),
    'blendFields, blendInGroups and pairFields': () => {
      const { horizons: fields } = api.blend(core, of('temp_mean'));
      const how = { method: 'rank', overlaps: [3, 7], lastLeads: [14, 41, 214], keepGaps: false };
      const whole = api.blendFields(core, fields, how);
      const groups = [];
      for (const group of api.blendInGroups(core, fields, api.pairFields(core, fields, how)))
        groups.push(Object.keys(group).sort());
      return [
        whole.field.members.map((member) => Array.from({ length: 150 }, (_, row) => member.value(row))),
        groups.length,
      ];
    },
  };
}

function climateCalls({ api, core }) {
  const history = (slug, days = 10_957, more = {}) =>
    api.demoTable(slug, { initDate: 8401, days, members: 1, seed: 4, ...more });
  const options = {
    daily: { granularity: 'daily' },
    'daily of 3 days about': { granularity: 'daily', halfWidth: 3, quantiles: [0.1, 0.9] },
    weekly: { granularity: 'weekly', thresholds: ['>20'] },
    monthly: { granularity: 'monthly' },
    'five categories': { granularity: 'monthly', categories: 5, quantileType: 6 },
    'no categories': { granularity: 'weekly', categories: 0 },
    'a few years': { granularity: 'monthly', reference: '1995-2001' },
    'years that are missing': { granularity: 'monthly', reference: '1981-2010' },
    'fewer years': { granularity: 'monthly', reference: '1981-2010', fewerYears: true, minSampleShare: 0.5 },
  };
  const made = new Map();
  const normal = (slug, how) => {
    const key = `${slug} ${how}`;
    if (!made.has(key)) made.set(key, api.climatology(core, history(slug), options[how]));
    return made.get(key);
  };
  const publicClimatology = (climatology) => {
    const {
      keys,
      samples,
      mean,
      quantiles,
      quantileValues,
      categories,
      limits,
      thresholds,
      probabilities,
      reference,
      metadata,
    } = climatology;
    const degenerate = keys.slice(0, 20).map((_, key) => api.isDegenerate(climatology, key));
    return {
      keys,
      samples,
      mean,
      quantiles,
      quantileValues,
      categories,
      limits,
      thresholds,
      probabilities,
      reference,
      metadata,
      degenerate,
    };
  };
  const forecast = api.demoTable('precipitation', { days: 120, members: 11 });
  const hindcasts = [2001, 2002, 2003, 2004].map((year) =>
    api.demoTable('precipitation', { initDate: api.dayNumber(year, 3, 1), days: 100, members: 5, seed: year }),
  );
  return {
    ...Object.fromEntries(
      ['precipitation', 'temp_mean'].flatMap((slug) =>
        Object.keys(options).map((how) => [
          `climatology of ${slug}, ${how}`,
          () => publicClimatology(normal(slug, how)),
        ]),
      ),
    ),
    'climatology of hindcasts': () =>
      publicClimatology(api.climatology(core, hindcasts, { granularity: 'weekly', reference: '2001-2004' })),
    'climatology of a history in two tables': () =>
      publicClimatology(
        api.climatology(core, [history('precipitation', 4000), history('precipitation', 6957, { initDate: 12_401 })], {
          granularity: 'weekly',
        }),
      ),
    'climatology of a history twice': () => api.climatology(core, [history('precipitation'), history('precipitation')]),
    ...Object.fromEntries(
      ['daily', 'weekly', 'monthly'].flatMap((how) => [
        [
          `climatologyTable and back, ${how}`,
          () => {
            const table = api.climatologyTable(normal('precipitation', how));
            return [table, publicClimatology(api.readClimatology(table))];
          },
        ],
        [`statisticsAgainst, ${how}`, () => api.statisticsAgainst(core, forecast, normal('precipitation', how))],
        [
          `statisticsAgainst with more columns, ${how}`,
          () =>
            api.statisticsAgainst(core, forecast, normal('precipitation', how), {
              exceed: [0.95],
              anomaly: true,
              spread: true,
              partial: true,
            }),
        ],
        [
          `climateKeys ${how}`,
          () => [api.climateKeys(how), api.climateKeys(how, 'noleap'), api.climateKeyIndex(how, FIRST_DAY)],
        ],
      ]),
    ),
    'statisticsAgainst five categories': () =>
      api.statisticsAgainst(core, forecast, normal('precipitation', 'five categories')),
    'statisticsAgainst another variable': () => api.statisticsAgainst(core, forecast, normal('temp_mean', 'weekly')),
    'statisticsAgainst a quantile that is not there': () =>
      api.statisticsAgainst(core, forecast, normal('precipitation', 'weekly'), { exceed: [0.77] }),
    'readClimatology of no climatology': () => api.readClimatology(forecast),
  };
}

function historyCalls({ api }) {
  const run = { days: 30, members: 5, locations: PLACES };
  const tables = api.demoTables(run);
  const past = (initDate, days, seed) => api.demoTable('temp_mean', { initDate, days, members: 1, seed });
  return {
    ...Object.fromEntries(
      ['dew_point', 'vapor_pressure_deficit', 'evapotranspiration'].map((slug) => [
        `deriveVariable ${slug}`,
        () => api.deriveVariable(slug, tables, { elevation: 500 }),
      ]),
    ),
    'deriveVariable evapotranspiration without an elevation': () => api.deriveVariable('evapotranspiration', tables),
    'deriveVariable dew_point without its inputs': () =>
      api.deriveVariable('dew_point', { temp_mean: tables.temp_mean }),
    'deriveVariable of what is not derived': () => api.deriveVariable('temp_mean', tables),
    'fillGaps of two': () =>
      api.fillGaps([
        { name: 'a', table: past(20_000, 30, 1) },
        { name: 'b', table: past(20_020, 40, 2) },
      ]),
    'fillGaps over days that none has': () =>
      api.fillGaps([
        { name: 'a', table: past(20_000, 10, 1) },
        { name: 'b', table: past(20_020, 10, 2) },
      ]),
    'fillGaps of one name twice': () =>
      api.fillGaps([
        { name: 'a', table: past(20_000, 10, 1) },
        { name: 'a', table: past(20_020, 10, 2) },
      ]),
    'fillGaps of nothing': () => api.fillGaps([]),
  };
}

function tableCalls({ api, tables }) {
  const formats = ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet'];
  const compressions = {
    arrow: ['lz4', 'zstd', 'snappy'],
    'arrow-stream': ['lz4', 'zstd'],
    parquet: ['none', 'snappy', 'lz4', 'zstd', 'brotli'],
  };
  const daily = {
    'hourly-rain.csv': { variable: 'precipitation' },
    'since-start.csv': { variable: 'precipitation' },
    'buckets-6h.csv': { variable: 'precipitation', accumulation: 'buckets-6h' },
    'hourly-kelvin.csv': { variable: 'temp_max', units: 'K' },
    'wind-components.csv': { variable: 'wind_speed', stamps: 'end' },
  };
  return {
    ...Object.fromEntries(
      formats.flatMap((format) =>
        Object.keys(tables).map((shape) => [
          `writeTable and readTable of ${shape} as ${format}`,
          async () => {
            const bytes = await api.writeTable(tables[shape], format);
            return [
              sha256(bytes),
              bytes.length,
              await outcomeOf(async () => api.readTable(bytes)),
              await outcomeOf(async () => api.detectFormat(bytes)),
            ];
          },
        ]),
      ),
    ),
    ...Object.fromEntries(
      formats.flatMap((format) =>
        (compressions[format] ?? ['zstd']).map((compression) => [
          `writeTable as ${format} in ${compression}`,
          async () => {
            const bytes = await api.writeTable(tables.wide, format, { compression });
            return [sha256(bytes), await api.readTable(bytes)];
          },
        ]),
      ),
    ),
    ...Object.fromEntries(
      formats.map((format) => [
        `encodeTables of two as ${format}`,
        async () => {
          const pieces = [];
          for await (const piece of api.encodeTables([tables.wide.slice(0, 50), tables.wide.slice(50)], format))
            pieces.push(piece.slice());
          return sha256(Buffer.concat(pieces));
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(daily).map(([name, options]) => [
        `dailyTable of ${name}`,
        async () => {
          const { table, accumulation } = api.dailyTable(await api.readTable(await readFile(`steps/${name}`)), {
            ...options,
            variable: api.findVariable(options.variable),
          });
          return [table, accumulation];
        },
      ]),
    ),
    'dailyTable of another variable': async () =>
      api.dailyTable(await api.readTable(await readFile('steps/hourly-rain.csv')), {
        variable: api.findVariable('relative_humidity'),
      }).table,
    'dailyTable that sorts': () =>
      api.dailyTable(tables.long.slice(0, 90), {
        variable: api.findVariable('precipitation'),
        sort: true,
        missing: [0],
      }).table,
  };
}

function streamCalls({ api, core, tables }) {
  const file = (name) => `tables/${name}`;
  const pieces = (bytes) => [bytes.subarray(0, 700), bytes.subarray(700, 701), bytes.subarray(701)];
  const options = { granularity: 'weekly', spread: true, thresholds: ['>5'] };
  return {
    statisticsOfBatches: () => api.statisticsOfBatches(core, tables.wide.batches, options),
    'statisticsOfBatches cut anywhere': () =>
      api.statisticsOfBatches(
        core,
        [tables.wide.slice(0, 7), tables.wide.slice(7, 100), tables.wide.slice(100)].flatMap(({ batches }) => batches),
        options,
      ),
    statisticsOfArrowStream: async () =>
      api.statisticsOfArrowStream(core, pieces(await api.writeTable(tables.wide, 'arrow-stream')), options),
    'statisticsOfArrowStream that is cut': async () =>
      await digestOf(
        api.statisticsOfArrowStream(
          core,
          [(await api.writeTable(tables.wide, 'arrow-stream')).subarray(0, 900)],
          options,
        ),
      ),
    readArrowInto: async () => {
      const { table, release } = await api.readArrowInto(core, pieces(await api.writeTable(tables.wide, 'arrow')));
      const result = await digestOf(api.statistics(core, table, options));
      release();
      return result;
    },
    'readArrowInto of no Arrow': () => api.readArrowInto(core, new Uint8Array(100)),
    ...Object.fromEntries(
      [
        'rain.arrow',
        'rain-lz4.arrow',
        'rain-zstd.arrow',
        'one-place.arrow',
        'rain.arrows',
        'rain.csv',
        'none.arrow',
      ].flatMap((name) => [
        [
          `statisticsOfArrowFile ${name}`,
          () => namedOnly(api.statisticsOfArrowFile(core, file(name), { ...options, source: name })),
        ],
        [`tablesOfFile ${name}`, () => namedOnly(api.tablesOfFile(core, file(name), { source: name, bytes: 4000 }))],
        [
          `readArrowFileInto ${name}`,
          async () => {
            const { table, release } = await api.readArrowFileInto(core, file(name), { source: name });
            const result = await digestOf(table);
            release();
            return result;
          },
        ],
      ]),
    ),
    climatologyTables: async () => {
      const file = await api.openArrayFile('normal/rain-monthly.nc');
      return api.climatologyTables(file);
    },
  };

  /** The rows of tables one after the other, however they are cut. */
  async function* namedOnly(given) {
    for await (const table of given) yield table;
  }
}

/** Those whose daily values are read, and results. */
const GRID_FILES = [
  'grids/rain.nc',
  'grids/rain-plain.nc',
  'grids/weeks.nc',
  'zarr/v2',
  'zarr/v2-gzip',
  'zarr/v2-missing',
  'zarr/v3',
  'normal/rain-monthly.nc',
];

function gridCalls({ api, core, tables }) {
  const withFile = async (name, use) => {
    const file = await api.openArrayFile(name);
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  };
  const ensemble = ({
    array,
    variable,
    units,
    accumulation,
    metadata,
    type,
    members,
    firstDay,
    days,
    grid,
    cells,
  }) => ({
    ...{
      array,
      variable: variable?.slug,
      units,
      accumulation,
      metadata: [...metadata].filter(([name]) => name !== 'history'),
    },
    ...{ type, members, firstDay, days, grid, cells },
  });
  return {
    ...Object.fromEntries(
      GRID_FILES.flatMap((name) => [
        [
          `gridEnsembles of ${name}`,
          () => withFile(name, async (file) => (await api.gridEnsembles(file)).map(ensemble)),
        ],
        [
          `gridArrays of ${name}`,
          () =>
            withFile(name, async (file) =>
              (await api.gridArrays(file)).map(({ array, name: own }) => own ?? array?.name ?? array),
            ),
        ],
        [
          `gridEnsemble of ${name}, all blocks`,
          () =>
            withFile(name, async (file) => {
              const grid = await api.gridEnsemble(file, { variable: 'precipitation' });
              const results = [];
              for (const block of grid.blocks(8000, [7, 14])) {
                const mark = core.memory.mark();
                const part = await grid.read(block, core);
                const values = (part.field ?? part).members.map((member) =>
                  Array.from({ length: block.cells * block.days }, (_, row) => member.value(row)),
                );
                results.push([block.cell, block.cells, block.day, block.days, values]);
                core.memory.release(mark);
              }
              return [ensemble(grid), results];
            }),
        ],
      ]),
    ),
    'gridEnsemble of an array that is not there': () =>
      withFile('zarr/v2', (file) => api.gridEnsemble(file, { array: 'nothing' })),
    'gridEnsemble of a variable that is not there': () =>
      withFile('zarr/v2', (file) => api.gridEnsemble(file, { variable: 'temp_mean' })),
    'openArrayFile of a table': () => withFile('tables/rain.csv', () => 0),
    'openArrayFile of nothing': () => withFile('nothing.nc', () => 0),
    ...Object.fromEntries(
      ['ensembleContentOfTable', 'statisticsContent'].flatMap((name) =>
        [0, 1, 6].map((deflate) => [
          `writeNetcdf4 of ${name}, deflate ${deflate}`,
          () =>
            inNewFolder(async (folder) => {
              const weekly = () => api.statistics(core, tables.wide, { granularity: 'weekly', spread: true });
              const content =
                name === 'statisticsContent'
                  ? api.statisticsContent(api.resultsOfTable(weekly()))
                  : api.ensembleContentOfTable(tables.wide);
              await api.writeNetcdf4(join(folder, 'a.nc'), await content, { deflate });
              return sha256(await readFile(join(folder, 'a.nc')));
            }),
        ]),
      ),
    ),
  };
}

async function inNewFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'plumecast-record-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function respondCalls({ api, core }) {
  const table = api.demoTable('temp_mean', { days: 30, members: 5, locations: PLACES.slice(0, 1) });
  const closest = { latitude: 37.25, longitude: -80 };
  const forecast = {
    ...{ initTime: '2025-11-20T00:00:00Z', version: 'gefs-v12', generation: '7f3a' },
    ...{ requested: { latitude: 37.27, longitude: -79.94 }, closest },
  };
  const today = 20_412;
  const columns = (mean, ...quantiles) => ({
    ...{
      length: mean.length,
      mean: Float32Array.from(mean),
      quantiles: quantiles.map((values) => Float32Array.from(values)),
    },
    ...{ probabilities: [], categories: [], members: Int32Array.from(mean, (x) => (Number.isNaN(x) ? 3 : 31)) },
  });
  const variable = (slug) => api.findVariable(slug);
  const windows = (granularity, from, to) => api.windowTable(granularity, from, to);
  const none = Number.NaN;
  return {
    membersJson: () => {
      const writer = new api.JsonWriter();
      const members = [Float32Array.of(0, none), Float32Array.of(1.25, 0.125), Float32Array.of(12.3, -1e-18)];
      const one = {
        variable: variable('precipitation'),
        downscaled: false,
        location: closest,
        firstDay: today,
        days: 2,
        members,
      };
      return textOf(
        api.membersJson({ ...forecast, period: { firstDay: today, lastDay: today + 1 }, variables: [one] }, writer) ??
          writer,
      );
    },
    statisticsJson: () =>
      textOf(
        api.statisticsJson({
          ...{
            ...forecast,
            attribution: 'NOAA "GEFS"',
            period: { firstDay: today + 4, lastDay: today + 17 },
            granularity: 'weekly',
            quantiles: [0.05, 0.025],
          },
          variables: [
            {
              ...{
                variable: variable('temp_mean'),
                downscaled: true,
                location: closest,
                windows: windows('weekly', today, today + 18),
              },
              statistics: columns([8.125, none], [-4.2, none], [6.7, none]),
            },
          ],
        }),
      ),
    historyJson: () =>
      textOf(
        api.historyJson({
          ...{ granularity: 'monthly', location: closest, period: { firstDay: 20_332, lastDay: 20_392 } },
          variables: [
            {
              ...{ variable: variable('solar_radiation'), downscaled: false, location: closest },
              ...{ windows: windows('monthly', 20_332, 20_392), values: Float32Array.of(17.4, none) },
            },
          ],
        }),
      ),
    legacyForecastJson: () =>
      textOf(
        api.legacyForecastJson({
          ...{
            granularity: 'weekly',
            location: closest,
            locationId: 'demo-field',
            dropped: ['wind_gust_max'],
            initTime: forecast.initTime,
          },
          ...{ tercileReference: 'observations', referencePeriod: '1993-2022' },
          variables: [
            {
              ...{ variable: variable('precipitation'), windows: windows('weekly', today + 7, today + 26) },
              statistics: columns([18.3, none], [0.5, none], [1.5, none], [2.5, none], [3.5, none], [4.5, none]),
              terciles: [Float32Array.of(8 / 31, none), Float32Array.of(11 / 31, none), Float32Array.of(12 / 31, none)],
            },
          ],
        }),
      ),
    legacyHistoryJson: () =>
      textOf(
        api.legacyHistoryJson({
          ...{ granularity: 'daily', location: closest, dropped: [] },
          variables: [{ variable: variable('temp_mean'), firstDay: today - 2, values: Float32Array.of(7.31, none) }],
        }),
      ),
    legacyClimatologyJson: () =>
      textOf(
        api.legacyClimatologyJson({
          ...{
            granularity: 'monthly',
            location: closest,
            dropped: [],
            referencePeriod: '1993-2022',
            keys: ['01', '02'],
          },
          variables: [
            { variable: variable('temp_mean'), quantiles: [-1.5, 0, 1.5, 3, 4.5].map((x) => Float32Array.of(x, none)) },
          ],
        }),
      ),
    ...Object.fromEntries(
      ['daily', 'weekly', 'monthly'].map((granularity) => [
        `statisticsJsonOfTable, ${granularity}`,
        () =>
          textOf(
            api.statisticsJsonOfTable(api.statistics(core, table, { granularity, partial: true }), {
              downscaled: false,
            }),
          ),
      ]),
    ),
  };
}

/** The text of JSON that a function gives as text, bytes or a writer. */
function textOf(result) {
  if (typeof result === 'string') return result;
  const bytes = ArrayBuffer.isView(result) ? result : (result.bytes?.() ?? result.finish?.() ?? result.toBytes?.());
  return bytes === undefined ? String(result) : new TextDecoder().decode(bytes);
}

function batchCalls({ api }) {
  const plan = { granularities: ['weekly'], workers: 1, format: 'csv', onError: 'continue' };
  const run = (more, options) =>
    inNewFolder(async (folder) => {
      const events = [];
      const report = await api.runBatch(
        { ...plan, ...more, out: join(folder, 'out') },
        { ...options, onEvent: (event) => events.push(event.event) },
      );
      return [
        report.status,
        report.finished,
        report.kept,
        report.left,
        report.failed.length,
        events.filter((event) => event !== 'progress').sort(),
      ];
    });
  return {
    'runBatch of three': () =>
      run({ inputs: ['tables/rain.arrow', 'tables/one-place.csv', 'grids/weeks.nc', 'zarr/v2'] }),
    'runBatch with a bad one': () => run({ inputs: ['tables/rain.arrow', 'csv/text.csv'] }),
    'runBatch that stops': () => run({ inputs: ['csv/text.csv', 'tables/rain.arrow'], onError: 'stop' }),
    'runBatch that is interrupted': () => run({ inputs: ['tables/rain.arrow'] }, { signal: AbortSignal.abort() }),
    'runBatch of two granularities': () =>
      run({
        inputs: ['tables/rain.parquet'],
        granularities: ['weekly', 'daily'],
        variables: ['precipitation'],
        thresholds: { precipitation: ['>20'] },
      }),
  };
}
