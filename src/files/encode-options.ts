import type { Choice } from '../check/option-schema.js';
import { OptionError } from '../errors.js';

/** The formats that tables are written in; `arrow` is an Arrow IPC file, `jsonl` has a JSON object a line. */
export type TableFormat = 'csv' | 'json' | 'jsonl' | 'arrow' | 'arrow-stream' | 'parquet';

export type Compression = 'none' | 'lz4' | 'zstd' | 'snappy';

/** How to write a table. */
export interface EncodeOptions {
  /**
   * How columns are compressed: in Arrow `none` (the default), `lz4` or `zstd`; in Parquet `snappy` (the default),
   * `none`, `lz4` or `zstd`; texts are not compressed.
   */
  readonly compression?: Choice<Compression>;
}

/** The compressions of each format, its default first. */
const COMPRESSIONS: Readonly<Record<TableFormat, readonly Compression[]>> = {
  csv: ['none'],
  json: ['none'],
  jsonl: ['none'],
  arrow: ['none', 'lz4', 'zstd'],
  'arrow-stream': ['none', 'lz4', 'zstd'],
  parquet: ['snappy', 'none', 'lz4', 'zstd'],
};

/**
 * The requested compression, or the format's default. Throws OptionError for an unknown format, or a compression it
 * does not have.
 */
export function chooseCompression(format: TableFormat, { compression }: EncodeOptions): Compression {
  if (typeof format !== 'string' || !Object.hasOwn(COMPRESSIONS, format)) {
    const allowed = Object.keys(COMPRESSIONS).join(', ');
    throw new OptionError({ subject: 'format', problem: 'is unknown', received: format, allowed });
  }
  const [byDefault, ...others] = COMPRESSIONS[format];
  if (compression === undefined || compression === byDefault) return byDefault;
  const found = others.find((one) => one === compression);
  if (found !== undefined) return found;
  throw new OptionError({
    subject: 'compression',
    problem: `${format} is not written with it`,
    received: compression,
    allowed: COMPRESSIONS[format].join(', '),
  });
}
