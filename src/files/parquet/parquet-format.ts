import { signatureTest } from '../foreign-format.js';
import type { TableFileFormat, TableWriter } from '../format.js';

/** Apache Parquet; on the disk also folders of files that are partitioned by keys. */
export const parquet = {
  kind: 'table',
  name: 'parquet',
  words: 'Parquet',
  endings: ['parquet', 'pq', 'geoparquet'],
  matches: /* @__PURE__ */ signatureTest(['PAR1']),
  open: async (file, options) => (await import('./open-parquet.js')).openParquet(file, options),
  write: {
    ending: '.parquet',
    compressions: ['snappy', 'none', 'lz4', 'zstd'],
    encoder: async (schema, compression) => {
      return (await import('./parquet-write.js')).createParquetEncoder(schema, compression);
    },
  },
} as const satisfies TableFileFormat;

/** Parquet with a column of points (GeoParquet 1.1), which is read as Parquet. */
export const geoParquet = {
  ...parquet.write,
  encoder: async (schema, compression) => {
    return (await import('./parquet-write.js')).createParquetEncoder(schema, compression, { points: true });
  },
} as const satisfies TableWriter;
