import { crc32 } from '../../../src/files/codecs/crc.js';
import { bool, i32, i64, list, struct, type ThriftValue, text } from './thrift-writer.js';

export const TYPE = { boolean: 0, int32: 1, int64: 2, double: 5, bytes: 6 };
export const CODEC = { none: 0, snappy: 1, gzip: 2, lz4: 5, zstd: 6, lz4Raw: 7 };
export const ENCODING = { plain: 0, rle: 3, deltas: 5, deltaLengths: 6, deltaTexts: 7, dictionary: 8, split: 9 };

/** A page as it is to be written; what is left out is stated truly. */
export interface MadePage {
  readonly kind?: 'data' | 'dictionary' | 'v2';
  readonly body: Uint8Array;
  readonly values: number;
  readonly encoding?: number;
  readonly decodedBytes?: number;
  readonly storedBytes?: number;
  readonly crc?: boolean | number;
  /** Of version 2. */
  readonly rows?: number;
  readonly nulls?: number;
  readonly definitionBytes?: number;
  readonly repetitionBytes?: number;
}

/** A column of one row group; what is left out is stated truly. */
export interface MadeColumn {
  readonly pages: readonly MadePage[];
  readonly type?: number;
  /** REQUIRED by default; lists are optional ones of optional items. */
  readonly form?: 'required' | 'optional' | 'list';
  readonly codec?: number;
  readonly values?: number;
  readonly dataAt?: number;
  readonly bytes?: number;
}

export interface MadeFile {
  readonly columns: readonly MadeColumn[];
  /** Rows of the file's one row group, and of the file. */
  readonly rows: number;
  readonly fileRows?: number;
  /** How many columns of each kind the footer states. */
  readonly schema?: ThriftValue;
  readonly groups?: ThriftValue;
}

const FORMS = { required: 0, optional: 1, list: 1 };
const MAGIC = [...new TextEncoder().encode('PAR1')];

/**
 * The bytes of a Parquet file with one row group, whose columns are called c0, c1 and so on, right or wrong as
 * requested.
 */
export function madeFile({ columns, rows, fileRows = rows, schema, groups }: MadeFile): Uint8Array {
  const bytes = [...MAGIC];
  const chunks = columns.map((column, index) => {
    const start = bytes.length;
    const offsets = column.pages.map((page) => {
      const at = bytes.length;
      bytes.push(...pageHeader(page).bytes, ...page.body);
      return at;
    });
    return columnChunk(column, index, offsets, bytes.length - start);
  });
  const group = struct({ 1: list(chunks), 2: i64(bytes.length), 3: i64(rows) });
  const elements = [struct({ 4: text('schema'), 5: i32(columns.length) }), ...columns.flatMap(schemaElements)];
  const footer = struct({ 1: i32(1), 2: schema ?? list(elements), 3: i64(fileRows), 4: groups ?? list([group]) });
  const length = new Uint8Array(Uint32Array.of(footer.bytes.length).buffer);
  return Uint8Array.from([...bytes, ...footer.bytes, ...length, ...MAGIC]);
}

function schemaElements({ type = TYPE.double, form = 'required' }: MadeColumn, index: number): ThriftValue[] {
  if (form !== 'list') return [struct({ 1: i32(type), 3: i32(FORMS[form]), 4: text(`c${index}`) })];
  return [
    struct({ 3: i32(1), 4: text(`c${index}`), 5: i32(1), 6: i32(3) }),
    struct({ 3: i32(2), 4: text('list'), 5: i32(1) }),
    struct({ 1: i32(type), 3: i32(1), 4: text('element') }),
  ];
}

function columnChunk(column: MadeColumn, index: number, offsets: readonly number[], length: number): ThriftValue {
  const { pages, type = TYPE.double, form, codec = CODEC.none } = column;
  const path = form === 'list' ? [`c${index}`, 'list', 'element'] : [`c${index}`];
  const dictionary = pages[0]?.kind === 'dictionary' ? offsets[0] : undefined;
  const values = pages.reduce((sum, page) => sum + (page.kind === 'dictionary' ? 0 : page.values), 0);
  const meta = struct({
    1: i32(type),
    2: list([i32(0)]),
    3: list(path.map(text)),
    4: i32(codec),
    5: i64(column.values ?? values),
    6: i64(length),
    7: i64(column.bytes ?? length),
    9: i64(column.dataAt ?? offsets[dictionary === undefined ? 0 : 1]),
    11: dictionary === undefined ? undefined : i64(dictionary),
  });
  return struct({ 2: i64(0), 3: meta });
}

function pageHeader(page: MadePage): ThriftValue {
  const { kind = 'data', body, values, encoding = ENCODING.plain, crc = false } = page;
  const checksum = typeof crc === 'number' ? crc : crc32(body) | 0;
  return struct({
    1: i32({ data: 0, dictionary: 2, v2: 3 }[kind]),
    2: i32(page.decodedBytes ?? body.length),
    3: i32(page.storedBytes ?? body.length),
    4: crc === false ? undefined : i32(checksum),
    5: kind === 'data' ? struct({ 1: i32(values), 2: i32(encoding), 3: i32(3), 4: i32(3) }) : undefined,
    7: kind === 'dictionary' ? struct({ 1: i32(values), 2: i32(encoding) }) : undefined,
    8: kind === 'v2' ? dataV2(page) : undefined,
  });
}

function dataV2({ values, rows = values, nulls = 0, encoding = ENCODING.plain, ...levels }: MadePage): ThriftValue {
  const { definitionBytes = 0, repetitionBytes = 0 } = levels;
  return struct({
    1: i32(values),
    2: i32(nulls),
    3: i32(rows),
    4: i32(encoding),
    5: i32(definitionBytes),
    6: i32(repetitionBytes),
    7: bool(true),
  });
}

/** Values as they lie in a page. */
export const doubles = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer);
export const ints = (...values: number[]) => new Uint8Array(Int32Array.from(values).buffer);
export const joined = (...parts: (Uint8Array | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
/** Levels of a page of version 1, behind their length. */
export const prefixed = (...bytes: number[]) => joined(ints(bytes.length), bytes);
/** Texts, each behind its length. */
export const texts = (...values: string[]) =>
  joined(...values.flatMap((value) => [ints(value.length), new TextEncoder().encode(value)]));
