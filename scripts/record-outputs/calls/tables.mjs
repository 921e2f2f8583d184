/** Tables in every format, daily tables, and Arrow files and streams. */
import { readFile } from 'node:fs/promises';
import { digestOf, outcomeOf, sha256 } from '../digest.mjs';

export function tableCalls({ api, tables }) {
  const formats = ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet'];
  const compressions = {
    arrow: ['lz4', 'zstd', 'snappy'],
    'arrow-stream': ['lz4', 'zstd'],
    parquet: ['none', 'snappy', 'lz4', 'zstd', 'brotli'],
  };
  const daily = {
    'hourly-rain.csv': { variable: 'precipitation', units: 'mm' },
    'since-start.csv': { variable: 'precipitation', units: 'm' },
    'buckets-6h.csv': { variable: 'precipitation', units: 'mm', accumulation: 'buckets-6h' },
    'hourly-kelvin.csv': { variable: 'temp_max', units: 'K' },
    'wind-components.csv': { variable: 'wind_speed', units: 'm s-1', stamps: 'end' },
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

export function streamCalls({ api, core, tables }) {
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
      try {
        return await digestOf(api.climatologyTables(file));
      } finally {
        await file.close();
      }
    },
  };

  /** The rows of tables one after the other, however they are cut. */
  async function* namedOnly(given) {
    for await (const table of given) yield table;
  }
}
