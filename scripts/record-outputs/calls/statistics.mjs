/** Statistics of tables and of arrays, by one thread and by several. */
import { digestOf } from '../digest.mjs';
import { seededField } from '../made-data.mjs';

export function statisticsCalls({ api, core, tables }) {
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
    'names of quantiles': () => statistics(core, tables.wide, { quantiles: [0, 0.05, 0.333333, 0.5, 0.999, 1] }),
    'names of thresholds': () => statistics(core, tables.wide, { thresholds: ['>20', '>=0.5', '<-3', '<=1000'] }),
  };
}

export function arrayCalls({ api, core }) {
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

export function poolCalls({ api, core, tables }) {
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

/** The result columns of statistics of arrays. */
function columnsOf({ length, mean, quantiles, spread, probabilities, categories, members }) {
  return { length, mean, quantiles, spread, probabilities, categories, members };
}
