import type { RandomAccess, ReadyAccess } from '../array/random-access.js';
import { checksum } from '../hdf5/checksum.js';
import { headerForm, isText, viewOf } from '../hdf5/read-header.js';
import { ADDRESS_BYTES, hasOldForm, type PlaceOfValues, placeOfEnd, placesOfValues } from '../hdf5/read-layout.js';

/** Bytes of a file, as the library read them. */
export interface ReadBytes {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Headers of more bytes are not kept. */
const MAX_BYTES = 1_048_576;
/** Bytes between others that are read with them: a call takes as long as some thousand bytes. */
const MAX_GAP = 65_536;
const SUPERBLOCK_BYTES = 48;
const CHECKSUM_BYTES = 4;

/** Keeps the bytes that the library reads of a file, up to `finish`. */
export class HeaderRecorder {
  #reads: ReadBytes[] | undefined = [];
  #bytes = 0;

  add(at: number, bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) this.#reads = undefined;
    this.#reads?.push({ at, bytes: bytes.slice() });
  }

  /** All that was read; undefined if it was too much. */
  finish(): readonly ReadBytes[] | undefined {
    const reads = this.#reads;
    this.#reads = undefined;
    return reads;
  }
}

/** Bytes with a checksum after them. */
interface CheckedSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes of which the library made the description of a file: its superblock, headers of objects, and what these refer
 * to. Files of one program, such as one for each member, often have the same ones, but for where they end and where their
 * values are: then they have the same description, which takes the library some milliseconds.
 */
export class KnownHeaders {
  /** In the order of the file; those that are read together. */
  readonly #pieces: readonly (readonly ReadBytes[])[];
  /** The addresses that may differ, and the spans that have them. */
  readonly #free: readonly number[];
  readonly #checked: readonly CheckedSpan[];

  private constructor(reads: readonly ReadBytes[], free: readonly number[], checked: readonly CheckedSpan[]) {
    this.#free = free;
    this.#checked = checked;
    this.#pieces = readTogether(reads);
  }

  /** The headers of a file of which the library has read some bytes; undefined where these are of an unknown form. */
  static async of(reads: readonly ReadBytes[], access: RandomAccess): Promise<KnownHeaders | undefined> {
    const own: ReadBytes[] = [];
    const free: number[] = [];
    const checked = new Map<number, CheckedSpan>();
    for (const { at, bytes } of reads) {
      const end = at === 0 ? placeOfEnd(bytes) : undefined;
      if (end !== undefined && end.at + ADDRESS_BYTES <= bytes.length) {
        if (end.width !== ADDRESS_BYTES) return undefined;
        free.push(end.at);
        if (!hasOldForm(bytes)) checked.set(0, { start: 0, end: SUPERBLOCK_BYTES - CHECKSUM_BYTES });
      }
      const places = isText(bytes, 'OHDR') ? await placesOfValues(access, at) : [];
      for (const place of places) {
        free.push(place.at);
        const span = checkedSpan(place);
        if (span !== undefined) checked.set(span.start, span);
      }
      own.push({ at, bytes: await withoutRest(access, at, bytes) });
    }
    return new KnownHeaders(own, free, [...checked.values()]);
  }

  /** Whether a file has these headers, undamaged. Throws what `access` throws. */
  are(access: ReadyAccess): boolean {
    for (const pieces of this.#pieces) {
      const start = pieces[0].at;
      const end = pieces.reduce((most, { at, bytes }) => Math.max(most, at + bytes.length), start);
      const found = new Uint8Array(end - start);
      if (end > access.size || access.readNow(start, found) < found.length) return false;
      const isWithin = (span: CheckedSpan) => span.start >= start && span.end + CHECKSUM_BYTES <= end;
      if (!this.#checked.filter(isWithin).every((span) => hasChecksum(found, start, span))) return false;
      if (!pieces.every((piece) => this.#isSame(piece, found.subarray(piece.at - start)))) return false;
    }
    return true;
  }

  /** Whether the bytes of a piece are the same in `found`, but for what may differ. */
  #isSame({ at, bytes }: ReadBytes, found: Uint8Array): boolean {
    for (let i = 0; i < bytes.length; i++) if (bytes[i] !== found[i] && !this.#mayDiffer(at + i)) return false;
    return true;
  }

  #mayDiffer(at: number): boolean {
    const isOf = (from: number, length: number) => at >= from && at < from + length;
    return (
      this.#free.some((from) => isOf(from, ADDRESS_BYTES)) || this.#checked.some(({ end }) => isOf(end, CHECKSUM_BYTES))
    );
  }
}

/** The block that has a place; undefined if it has no checksum. */
function checkedSpan({ block: { at, bytes, start } }: PlaceOfValues): CheckedSpan | undefined {
  return start === undefined ? undefined : { start, end: at + bytes };
}

function hasChecksum(bytes: Uint8Array, first: number, { start, end }: CheckedSpan): boolean {
  const own = bytes.subarray(start - first, end - first + CHECKSUM_BYTES);
  const length = end - start;
  return viewOf(own).getUint32(length, true) === checksum(own.subarray(0, length));
}

/** The library reads more bytes at the beginning of a header than it has, and does not use the rest. */
async function withoutRest(access: RandomAccess, at: number, bytes: Uint8Array): Promise<Uint8Array> {
  if (at === 0 && !hasOldForm(bytes)) return bytes.subarray(0, SUPERBLOCK_BYTES);
  if (!isText(bytes, 'OHDR')) return bytes;
  const form = await headerForm(access, at);
  return form === undefined ? bytes : bytes.subarray(0, form.first.at + form.first.bytes + CHECKSUM_BYTES - at);
}

function readTogether(reads: readonly ReadBytes[]): ReadBytes[][] {
  const groups: ReadBytes[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const read of [...reads].sort((a, b) => a.at - b.at)) {
    if (read.at > end + MAX_GAP) groups.push([]);
    groups[groups.length - 1].push(read);
    end = Math.max(end, read.at + read.bytes.length);
  }
  return groups;
}
