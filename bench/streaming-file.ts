import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type Data,
  DateDay,
  Field,
  Float32,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
} from 'apache-arrow';
import { createRandomStream } from '../src/demo/random.js';
import { encodeTables } from '../src/files/encode-tables.js';

const MEMBERS = 31;
const DAYS = 180;
const FIRST_DAY = 20_454;
/** Bytes of a row: members, latitude and longitude, date. */
export const ROW_BYTES = 4 * MEMBERS + 16 + 4;
/** Values that are drawn; members and batches begin at different ones. */
const POOL = 1 << 20;

/** Writes an Arrow file of daily rain by location, 31 members, `rows` rows in batches of `batchRows`. */
export async function writeLargeFile(path: string, rows: number, batchRows: number): Promise<void> {
  const random = createRandomStream([20_260_201]);
  const drawn = Float32Array.from({ length: POOL }, () => Math.max(0, random.nextUniform() * 30 - 15));
  const pool = new Float32Array(batchRows + MEMBERS * 64 + POOL);
  for (let at = 0; at < pool.length; at += POOL) pool.set(drawn.subarray(0, pool.length - at), at);
  const names = Array.from({ length: MEMBERS }, (_, m) => `member_${String(m).padStart(2, '0')}`);
  const fields = [
    new Field('latitude', new Float64()),
    new Field('longitude', new Float64()),
    new Field('date', new DateDay()),
    ...names.map((name) => new Field(name, new Float32(), true)),
  ];
  const schema = new Schema(fields, new Map([['variable', 'precipitation']]));
  function* tables() {
    for (let from = 0; from < rows; from += batchRows) {
      const length = Math.min(batchRows, rows - from);
      const [latitude, longitude, date] = [new Float64Array(length), new Float64Array(length), new Int32Array(length)];
      for (let i = 0; i < length; i++) {
        const cell = Math.floor((from + i) / DAYS);
        latitude[i] = 60 - 0.25 * Math.floor(cell / 1440);
        longitude[i] = -180 + 0.25 * (cell % 1440);
        date[i] = FIRST_DAY + ((from + i) % DAYS);
      }
      const children: Data[] = [
        makeData({ type: new Float64(), data: latitude }),
        makeData({ type: new Float64(), data: longitude }),
        makeData({ type: new DateDay(), data: date }),
        ...names.map((_, m) => {
          const start = m * 64 + (from % POOL);
          return makeData({ type: new Float32(), data: pool.subarray(start, start + length) });
        }),
      ];
      yield new Table(schema, [
        new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children })),
      ]);
    }
  }
  await pipeline(Readable.from(encodeTables(tables(), 'arrow')), createWriteStream(path));
}
