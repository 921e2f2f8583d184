import { crc32 } from '../codecs/crc.js';
import type { ParquetChunk } from './footer.js';
import { decodeRuns, decompressPage, maxDecodedBytes } from './page-codecs.js';
import { ENCODING, PAGE, type PageHeader } from './pages.js';
import type { ParquetLeaf } from './schema-columns.js';
import { prefixedBytes } from './values.js';

/** The parts of a data page. Levels are omitted if all have the maximum, or if there are none. */
export interface PageContent {
  readonly repetition?: Uint8Array;
  readonly definition?: Uint8Array;
  readonly values: Uint8Array;
  /** The number of values that are not null. */
  readonly count: number;
}

/** The bytes that a page may have besides its values: levels, and incomplete blocks of differences. */
const PAGE_SLACK = 65_536;
const VALUE_BYTES = { BOOLEAN: 1, INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };

/** Takes the pages of a column chunk apart. Throws RangeErrors. */
export class PageContents {
  readonly #leaf: ParquetLeaf;
  readonly #chunk: ParquetChunk;

  constructor(leaf: ParquetLeaf, chunk: ParquetChunk) {
    this.#leaf = leaf;
    this.#chunk = chunk;
  }

  async content(header: PageHeader, stored: Uint8Array): Promise<PageContent> {
    if (header.type === PAGE.data) return this.#contentV1(header, await this.decompressed(header, stored));
    if (header.type === PAGE.dataV2) return await this.#contentV2(header, stored);
    throw new RangeError(`a page of the unknown type ${header.type}`);
  }

  /** The bytes of a page of version 1 or of a dictionary. */
  decompressed(header: PageHeader, stored: Uint8Array): Promise<Uint8Array> {
    this.check(header, stored);
    return this.#uncompressed(header, stored, header.decodedBytes);
  }

  /**
   * Checks a page before memory is allocated for it: its checksum if it has one, and that it is not larger than its
   * values may be, or for texts, than a column chunk may be.
   */
  check({ crc, decodedBytes, values }: PageHeader, stored: Uint8Array): void {
    if (crc !== undefined) {
      const own = crc32(stored);
      if (own !== crc >>> 0) throw new RangeError(`a page with the checksum ${own} where ${crc >>> 0} is noted`);
    }
    const { type } = this.#leaf.element;
    const { start, end } = this.#chunk;
    const width = VALUE_BYTES[type as keyof typeof VALUE_BYTES];
    const most = width === undefined ? maxDecodedBytes(end - start) : PAGE_SLACK + values * (2 * width + 4);
    if (decodedBytes > most) throw new RangeError(`a page of ${decodedBytes} bytes for ${values} values`);
  }

  #contentV1(header: PageHeader, bytes: Uint8Array): PageContent {
    const { maxDefinition, maxRepetition } = this.#leaf;
    let at = 0;
    const levels = (max: number, encoding: number) => {
      if (max === 0) return undefined;
      if (encoding !== ENCODING.rle) throw new RangeError(`levels of the encoding ${encoding}`);
      const { start, end } = prefixedBytes(bytes, at);
      at = end;
      return readLevels(bytes, start, end, max, header.values);
    };
    const repetition = levels(maxRepetition, header.repetitionEncoding);
    const definition = levels(maxDefinition, header.definitionEncoding);
    const { present, count } = this.#present(definition, header.values);
    return { repetition, definition: present, values: bytes.subarray(at), count };
  }

  async #contentV2(header: PageHeader, stored: Uint8Array): Promise<PageContent> {
    const { maxDefinition, maxRepetition } = this.#leaf;
    const { repetitionBytes, definitionBytes, values } = header;
    const levelBytes = repetitionBytes + definitionBytes;
    if (levelBytes > stored.length || levelBytes > header.decodedBytes) {
      throw new RangeError(`levels of ${levelBytes} bytes in a page of ${stored.length}`);
    }
    this.check(header, stored);
    const levels = (max: number, start: number, end: number) =>
      max === 0 ? undefined : readLevels(stored, start, end, max, values);
    const repetition = levels(maxRepetition, 0, repetitionBytes);
    if (repetition !== undefined && repetition[0] !== 0) throw new RangeError('a page that begins within a list');
    const { present, count } = this.#present(levels(maxDefinition, repetitionBytes, levelBytes), values);
    if (values - count !== header.nulls)
      throw new RangeError(`a page of ${header.nulls} nulls that has ${values - count}`);
    const content = await this.#uncompressed(header, stored.subarray(levelBytes), header.decodedBytes - levelBytes);
    return { repetition, definition: present, values: content, count };
  }

  /** For a column without lists 1 for each value, otherwise the levels; omitted if all entries are values. */
  #present(levels: Uint8Array | undefined, values: number): { present?: Uint8Array; count: number } {
    const { maxDefinition } = this.#leaf;
    if (levels === undefined) return { count: values };
    let count = 0;
    for (let i = 0; i < levels.length; i++) if (levels[i] === maxDefinition) count++;
    return { present: count === values ? undefined : levels, count };
  }

  async #uncompressed(header: PageHeader, stored: Uint8Array, size: number): Promise<Uint8Array> {
    const codec = header.isCompressed ? this.#chunk.codec : 'UNCOMPRESSED';
    return await decompressPage(codec, stored, size);
  }
}

/** The levels of a page's values, 0 to `max` each. */
function readLevels(bytes: Uint8Array, start: number, end: number, max: number, values: number): Uint8Array {
  const levels = new Uint8Array(values);
  decodeRuns(bytes, start, end, 32 - Math.clz32(max), levels);
  if ((max & (max + 1)) === 0) return levels;
  for (let i = 0; i < levels.length; i++)
    if (levels[i] > max) throw new RangeError(`a level of ${levels[i]} of ${max}`);
  return levels;
}
