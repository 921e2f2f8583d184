import type { FormatError } from '../../errors.js';

/** Bytes of the file: from `offset` on, counted from the start of the file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Where a message lies in its file. */
export interface MessagePlace {
  /** The name of the file in messages. */
  readonly source: string;
  /** The number of the message in the file, from 1. What is not a message is not counted, a damaged message is. */
  readonly message: number;
  /** Where the message begins: its bytes `GRIB`. */
  readonly offset: number;
}

/**
 * One field of a GRIB2 message: a grid, a product and how its values are packed, as stored. A message has one field or,
 * where it repeats sections, several; these share the sections that are not repeated (the same Uint8Array).
 *
 * Sections are complete with their first five bytes (length and number), so that octet N of the WMO's templates is
 * `section[N - 1]`. Their lengths have been checked only against the message and against the fixed part that all
 * templates have: 21 bytes of section 1, 14 of section 3, 9 of section 4 and 11 of section 5.
 */
export interface GribField extends MessagePlace {
  readonly kind: 'field';
  readonly edition: 2;
  /** The number of the field in its message, from 1. */
  readonly field: number;
  /** The length of the whole message, from `GRIB` to `7777`. */
  readonly length: number;
  /** Code table 0.0. */
  readonly discipline: number;
  /** Identification: centre, reference time. */
  readonly section1: Uint8Array;
  /** Grid definition. */
  readonly section3: Uint8Array;
  /** Product definition. */
  readonly section4: Uint8Array;
  /** Data representation. */
  readonly section5: Uint8Array;
  /**
   * Code table 6.0, with a previous bitmap (254) resolved: 0 where `section6` holds a bitmap, 255 where each point has
   * a value, and the number of a bitmap that the centre has defined, which is not in the file.
   */
  readonly bitmapIndicator: number;
  /** The section with the bitmap, an earlier one of the message where this field uses the previous bitmap. */
  readonly section6: ByteRange;
  /** The packed values. */
  readonly section7: ByteRange;
}

/** A message of GRIB edition 1, which has one field. Sections are complete: octet N is `section[N - 1]`. */
export interface Grib1Field extends MessagePlace {
  readonly kind: 'field';
  readonly edition: 1;
  readonly field: 1;
  /** The length of the whole message, from `GRIB` to `7777`. */
  readonly length: number;
  /** Product definition. */
  readonly section1: Uint8Array;
  /** Grid description, where there is one. */
  readonly section2: Uint8Array | undefined;
  /** Bitmap, where there is one. */
  readonly section3: ByteRange | undefined;
  /** The packed values. */
  readonly section4: ByteRange;
}

/** A message, or the rest of one, that cannot be read. */
export interface GribFault extends MessagePlace {
  readonly kind: 'fault';
  /** Names the file, the message, its offset and the section. */
  readonly error: FormatError;
  /** Whether the rest of the file is not read. */
  readonly isEnd?: true;
}

/** Bytes outside of messages that are usual in a file, but so many that messages may be lost in them. */
export interface GribGap {
  readonly kind: 'gap';
  readonly bytes: number;
  /** Zeros; what lies before the first message; or less than a message behind the last one. */
  readonly what: 'zeros' | 'head' | 'rest';
}
