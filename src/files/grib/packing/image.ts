import { type FieldHead, fieldError, type Packing } from './packed-field.js';

/** The numbers of an image, as simple packing has them: one after the other, with the highest bit first. */
export interface ImageNumbers {
  readonly bytes: Uint8Array;
  /** The bits of a number: 8, 16, 24 or 32. */
  readonly bits: number;
}

/** What the header of an image says. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /** The bits of a pixel, which is one number. */
  readonly bits: number;
}

/**
 * Checks that an image holds the numbers that section 5 says: so many pixels as values, of at least so many bits.
 * Throws FormatError; `kind` says what image it is.
 */
export function assertImageFits(
  field: FieldHead,
  kind: string,
  image: ImageSize,
  { count, bits }: Pick<Packing, 'count' | 'bits'>,
): void {
  if (count === 0 || image.width * image.height !== count) {
    throw fieldError(field, 7, {
      problem: `has a ${kind} image with another number of pixels than there are values`,
      received: `${image.width} x ${image.height}`,
      allowed: `${Math.max(1, count)} pixels`,
    });
  }
  if (image.bits < bits) {
    throw fieldError(field, 7, {
      problem: `has a ${kind} image whose pixels have fewer bits than the numbers of section 5`,
      received: image.bits,
      allowed: `at least ${bits}`,
    });
  }
}
