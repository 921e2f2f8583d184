import { type BombCodec, bomb } from './bombs.js';
import type { Dice } from './dice.js';
import { type ByteMutator, damage, joined, otherInteger, type Region, writeVarint } from './mutate-bytes.js';
import { type ThriftNumber, thriftNumbers, varint } from './thrift.js';

/** The tail of a file: the length of the footer, and `PAR1`. */
const TAIL_BYTES = 8;
const HEAD_BYTES = 4;
/** Paths in the footer: of columns, and of fields in their metadata. */
const COLUMN = /^4\/\d+\/1\/\d+\/3\/(\d+)$/;
const FIELD = { codec: '4', compressedBytes: '7', dataPage: '9', dictionaryPage: '11' };
const GZIP = 2n;
/** Fields of the header of a page. */
const PAGE = { kind: '1', compressedBytes: '3', checksum: '4' };
const DATA_PAGE_V2 = 3n;
const BOMBS: Readonly<Record<number, BombCodec>> = {
  1: 'snappy',
  2: 'gzip',
  5: 'lz4-frame',
  6: 'zstd',
  7: 'lz4-block',
};

interface Footer {
  readonly start: number;
  readonly numbers: readonly ThriftNumber[];
}

interface Page {
  readonly header: readonly ThriftNumber[];
  readonly from: number;
  readonly to: number;
  readonly codec: bigint;
}

/** A number of the footer is another one; the footer's length is right. */
const setFooterNumber: ByteMutator = (bytes, dice) => {
  const footer = footerOf(bytes);
  if (footer === undefined) return undefined;
  const number = dice.pick(footer.numbers);
  return withFooterNumbers(bytes, footer, new Map([[number, otherInteger(number.value, dice)]]));
};

/** Two numbers of the footer change places. */
const swapFooterNumbers: ByteMutator = (bytes, dice) => {
  const footer = footerOf(bytes);
  if (footer === undefined) return undefined;
  const [one, two] = [dice.pick(footer.numbers), dice.pick(footer.numbers)];
  const changes = new Map([[one, two.value]]).set(two, one.value);
  return withFooterNumbers(bytes, footer, changes);
};

/** A number of a page's header is another one of as many bytes. */
const setPageNumber: ByteMutator = (bytes, dice) => {
  const pages = pagesOf(bytes);
  if (pages.length === 0) return undefined;
  const { at, width, value, isZigzag } = dice.pick(dice.pick(pages).header);
  const copy = bytes.slice();
  const other = otherInteger(value, dice);
  writeVarint(
    copy,
    at,
    width,
    isZigzag ? BigInt.asUintN(64, (other << 1n) ^ (other >> 63n)) : BigInt.asUintN(64, other),
  );
  return copy;
};

/** Bytes within pages are damaged, and nothing else. */
const damagePages: ByteMutator = (bytes, dice) => {
  const regions = pagesOf(bytes).map(({ from, to }): Region => [from, to]);
  const filled = regions.filter(([from, to]) => to > from);
  return filled.length === 0 ? undefined : damage(bytes, dice, filled);
};

/** A column begins with a page that decompresses to very much more than it says, or says so itself. */
const plantBomb: ByteMutator = (bytes, dice) => {
  const footer = footerOf(bytes);
  if (footer === undefined || dice.chance(0.8)) return undefined;
  const places = footer.numbers.filter(({ path }) => COLUMN.exec(path)?.[1] === FIELD.dataPage);
  if (places.length === 0) return undefined;
  const place = dice.pick(places);
  const field = (key: string) => footer.numbers.find(({ path }) => path === place.path.replace(/\d+$/, key));
  const codec = BOMBS[Number(field(FIELD.codec)?.value ?? 0n)];
  const size = field(FIELD.compressedBytes);
  if (codec === undefined || size === undefined) return undefined;
  const body = bomb(codec);
  const page = joined(pageHeader(dice, body.length), body);
  const changes = new Map([[place, BigInt(footer.start)]]).set(size, BigInt(page.length));
  const changed = withFooterNumbers(bytes, footer, changes);
  return joined(changed.subarray(0, footer.start), page, changed.subarray(footer.start));
};

export const PARQUET_MUTATORS: readonly ByteMutator[] = [
  ...[setFooterNumber, setFooterNumber, swapFooterNumbers, setPageNumber, setPageNumber, damagePages, plantBomb],
];

/** The bytes that checksums of pages cover, or gzip's own. */
export function checkedRegions(bytes: Uint8Array): Region[] {
  const isChecked = ({ header, codec }: Page) =>
    header.some(({ path }) => path === PAGE.checksum) ||
    (codec === GZIP && header.find(({ path }) => path === PAGE.kind)?.value !== DATA_PAGE_V2);
  return pagesOf(bytes)
    .filter((page) => page.to > page.from && isChecked(page))
    .map(({ from, to }) => [from, to]);
}

function footerOf(bytes: Uint8Array): Footer | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD_BYTES + TAIL_BYTES) return undefined;
  const start = bytes.length - TAIL_BYTES - view.getUint32(bytes.length - TAIL_BYTES, true);
  if (start < HEAD_BYTES) return undefined;
  try {
    const { numbers } = thriftNumbers(bytes, start);
    return numbers.length === 0 ? undefined : { start, numbers };
  } catch {
    return undefined;
  }
}

function withFooterNumbers(bytes: Uint8Array, { start }: Footer, changes: Map<ThriftNumber, bigint>): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = start;
  for (const [number, value] of [...changes].sort(([one], [two]) => one.at - two.at)) {
    parts.push(bytes.subarray(at, number.at), varint(value, number.isZigzag));
    at = number.at + number.width;
  }
  const footer = joined(...parts, bytes.subarray(at, bytes.length - TAIL_BYTES));
  const tail = bytes.slice(-TAIL_BYTES);
  new DataView(tail.buffer).setUint32(0, footer.length, true);
  return joined(bytes.subarray(0, start), footer, tail);
}

/** The pages of all columns, as far as they can be found. */
function pagesOf(bytes: Uint8Array): Page[] {
  const footer = footerOf(bytes);
  const columns = new Map<string, Map<string, bigint>>();
  for (const { path, value } of footer?.numbers ?? []) {
    const field = COLUMN.exec(path)?.[1];
    if (field === undefined) continue;
    const column = path.slice(0, -field.length);
    columns.set(column, (columns.get(column) ?? new Map()).set(field, value));
  }
  return [...columns.values()].flatMap((column) => pagesOfColumn(bytes, column));
}

function pagesOfColumn(bytes: Uint8Array, column: ReadonlyMap<string, bigint>): Page[] {
  const pages: Page[] = [];
  const first = Number(column.get(FIELD.dictionaryPage) ?? 0n) || Number(column.get(FIELD.dataPage) ?? 0n);
  const end = first + Number(column.get(FIELD.compressedBytes) ?? 0n);
  try {
    for (let at = first; at < end && pages.length < 1000; ) {
      const { numbers, end: from } = thriftNumbers(bytes, at);
      const length = Number(numbers.find(({ path }) => path === PAGE.compressedBytes)?.value ?? -1n);
      if (length < 0 || from + length > bytes.length) break;
      pages.push({ header: numbers, from, to: from + length, codec: column.get(FIELD.codec) ?? 0n });
      at = from + length;
    }
  } catch {
    // What is no header of a page ends the column.
  }
  return pages;
}

/** The header of a data page: its kind, sizes, and values without levels; `uncompressed` may be modest or wild. */
function pageHeader(dice: Dice, length: number): Uint8Array {
  const number = (value: number) => varint(BigInt(value), true);
  const size = dice.pick([96, 1000, 2 ** 30, 2 ** 31 - 1]);
  const data = [0x15, number(dice.pick([12, 12, 2 ** 31 - 1])), 0x15, number(0), 0x15, number(3), 0x15, number(3), 0];
  const all = [0x15, number(0), 0x15, number(size), 0x15, number(length), 0x2c, ...data, 0];
  return joined(...all.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part)));
}
