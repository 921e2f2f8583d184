import { loadOpenJpeg } from '#openjpeg';
import { isPlumecastError } from '../../../errors.js';
import { assertImageFits, type ImageNumbers, type ImageSize } from './image.js';
import { checkCodestream } from './jpeg2000-header.js';
import type { OpenJpeg } from './openjpeg.js';
import { type FieldHead, fieldError, type Packing } from './packed-field.js';

/** A picture takes about 12 bytes of memory for each point, and a constant one needs no bytes in the file. */
const MAX_POINTS = 33_554_432;
/** Memory of the library that is kept for the next picture. */
const MAX_KEPT_BYTES = 268_435_456;

/** The library, as long as nothing has failed in it and its memory is small: WebAssembly gives no memory back. */
let library: Promise<OpenJpeg> | undefined;

/**
 * Reads the numbers of an image of JPEG 2000 (template 5.40), of 1 to 16 bits, with OpenJPEG. Throws FormatError for
 * other images, and where it is cut, damaged or does not fit section 5; PackageError where the library is missing.
 */
export async function readJpeg2000(field: FieldHead, packing: Packing, stream: Uint8Array): Promise<ImageNumbers> {
  const image = checkCodestream(stream);
  if ('problem' in image) throw fieldError(field, 7, image);
  assertImageFits(field, 'JPEG 2000', image, packing);
  if (packing.count > MAX_POINTS) {
    const allowed = `at most ${MAX_POINTS}`;
    const problem = 'has an image of JPEG 2000 with more points than are read';
    throw fieldError(field, 7, { problem, received: packing.count, allowed });
  }
  library ??= loadOpenJpeg(`${field.place.source} (JPEG 2000)`);
  try {
    const openJpeg = await library;
    const numbers = decode(openJpeg, stream, image);
    if (openJpeg.HEAPU8.length > MAX_KEPT_BYTES) library = undefined;
    return numbers;
  } catch (cause) {
    // What has failed may have left its memory in disorder.
    library = undefined;
    if (isPlumecastError(cause)) throw cause;
    throw fieldError(field, 7, {
      problem: 'has a codestream of JPEG 2000 that OpenJPEG does not decode',
      allowed: 'a complete codestream',
      cause,
    });
  }
}

/** Throws whatever the library does, and Error where its result is not the image that the header says. */
function decode({ J2KDecoder }: OpenJpeg, stream: Uint8Array, { width, height, bits }: ImageSize): ImageNumbers {
  const decoder = new J2KDecoder();
  try {
    decoder.getEncodedBuffer(stream.length).set(stream);
    decoder.decode();
    const frame = decoder.getFrameInfo();
    const numbers = decoder.getDecodedBuffer();
    const sampleBytes = bits > 8 ? 2 : 1;
    const isSame = frame.width === width && frame.height === height && frame.bitsPerSample === bits;
    if (!isSame || frame.componentCount !== 1 || frame.isSigned || numbers.length !== width * height * sampleBytes)
      throw new Error('the result has another size than the image');
    return bits > 8 ? { bytes: swapped(numbers), bits: 16 } : { bytes: Uint8Array.from(numbers), bits: 8 };
  } finally {
    decoder.delete();
  }
}

/** Numbers of two bytes with the highest first. */
function swapped(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i += 2) {
    result[i] = bytes[i + 1];
    result[i + 1] = bytes[i];
  }
  return result;
}
