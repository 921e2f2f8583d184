import { THRIFT, ThriftCursor } from './thrift-cursor.js';

/** Kinds of pages (PageType in parquet.thrift). */
export const PAGE = { data: 0, index: 1, dictionary: 2, dataV2: 3 };

/** Encodings of values and levels (Encoding in parquet.thrift). */
export const ENCODING = {
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  bitPacked: 4,
  deltaBinaryPacked: 5,
  deltaLengthByteArray: 6,
  deltaByteArray: 7,
  rleDictionary: 8,
  byteStreamSplit: 9,
};

/** The header of a page of any kind; counts and sizes are not negative. */
export interface PageHeader {
  readonly type: number;
  /** The bytes of the page after its header, as stored and after decompression. */
  readonly storedBytes: number;
  readonly decodedBytes: number;
  /** CRC-32 of the stored bytes, if the writer added it. */
  readonly crc?: number;
  /** The number of values of the page, nulls included: one for each level if it has levels. */
  readonly values: number;
  readonly encoding: number;
  /** Of data pages of version 1. */
  readonly definitionEncoding: number;
  readonly repetitionEncoding: number;
  /** Of data pages of version 2. */
  readonly nulls: number;
  readonly rows: number;
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
  readonly isCompressed: boolean;
}

/** The fields of a struct that are numbers, or booleans as 0 and 1, by their ids, which are not above `MAX_ID`. */
type Numbers = (number | undefined)[];

const MAX_ID = 8;

/** Fields of PageHeader that are the headers of one kind of page. */
const KIND_FIELDS = { data: 5, dictionary: 7, dataV2: 8 };

/**
 * Reads the header of the page that begins at `at`; returns it and its end. Throws a RangeError if it does not end
 * within `bytes`, if a field of its kind is missing, or if it has a negative count or size.
 */
export function readPageHeader(bytes: Uint8Array, at: number): { header: PageHeader; end: number } {
  const cursor = new ThriftCursor(bytes, at);
  const kinds: (Numbers | undefined)[] = [];
  const numbers = readNumbers(cursor, (id) => {
    kinds[Math.min(id, MAX_ID + 1)] = readNumbers(cursor);
  });
  const common = {
    type: count(numbers, 1, 'type'),
    decodedBytes: count(numbers, 2, 'uncompressed size'),
    storedBytes: count(numbers, 3, 'compressed size'),
    crc: numbers[4],
  };
  return { header: { ...DEFAULTS, ...common, ...readKind(common.type, kinds) }, end: cursor.at };
}

const DEFAULTS = {
  definitionEncoding: ENCODING.rle,
  repetitionEncoding: ENCODING.rle,
  nulls: 0,
  rows: 0,
  definitionBytes: 0,
  repetitionBytes: 0,
  isCompressed: true,
};

type KindOfPage = Pick<PageHeader, 'values' | 'encoding'> & Partial<PageHeader>;

function readKind(type: number, kinds: readonly (Numbers | undefined)[]): KindOfPage {
  const data = kinds[KIND_FIELDS.data];
  if (type === PAGE.data && data !== undefined) {
    return {
      values: count(data, 1, 'number of values'),
      encoding: count(data, 2, 'encoding'),
      definitionEncoding: count(data, 3, 'encoding of definition levels'),
      repetitionEncoding: count(data, 4, 'encoding of repetition levels'),
    };
  }
  const dictionary = kinds[KIND_FIELDS.dictionary];
  if (type === PAGE.dictionary && dictionary !== undefined) {
    return { values: count(dictionary, 1, 'number of values'), encoding: count(dictionary, 2, 'encoding') };
  }
  const dataV2 = kinds[KIND_FIELDS.dataV2];
  if (type === PAGE.dataV2 && dataV2 !== undefined) {
    return {
      values: count(dataV2, 1, 'number of values'),
      nulls: count(dataV2, 2, 'number of nulls'),
      rows: count(dataV2, 3, 'number of rows'),
      encoding: count(dataV2, 4, 'encoding'),
      definitionBytes: count(dataV2, 5, 'size of definition levels'),
      repetitionBytes: count(dataV2, 6, 'size of repetition levels'),
      isCompressed: dataV2[7] !== 0,
    };
  }
  throw new RangeError(`a page of the unknown type ${type}`);
}

function readNumbers(cursor: ThriftCursor, struct?: (id: number) => void): Numbers {
  const numbers: Numbers = new Array(MAX_ID + 1);
  const keep = (id: number, value: number) => {
    if (id <= MAX_ID) numbers[id] = value;
  };
  cursor.fields((id, type) => {
    if (type === THRIFT.i32) keep(id, cursor.i32(type));
    else if (type === THRIFT.true || type === THRIFT.false) keep(id, type === THRIFT.true ? 1 : 0);
    else if (type === THRIFT.struct && struct !== undefined) struct(id);
    else cursor.skip(type);
  });
  return numbers;
}

function count(numbers: Numbers, id: number, what: string): number {
  const value = numbers[id];
  if (value === undefined || value < 0) throw new RangeError(`a page header with ${value ?? 'no'} as its ${what}`);
  return value;
}
