import { loadOpenJpeg } from '#openjpeg';
import { type ErrorParts, isPlumecastError } from '../../../errors.js';
import { assertImageFits, type ImageNumbers, type ImageSize } from './image.js';
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

/** What is wrong with a codestream. */
type StreamProblem = Pick<ErrorParts, 'problem' | 'received' | 'allowed'>;

/** Marker codes of ISO/IEC 15444-1, table A.2. */
const [START, SIZE, CODING, TILE_PART, DATA, END] = [0xff4f, 0xff51, 0xff52, 0xff90, 0xff93, 0xffd9];
/** Marker segments of the main header, and of tile-parts, that do not change how much there is to decode. */
const MAIN = [0xff50, SIZE, CODING, 0xff55, 0xff57, 0xff5c, 0xff5d, 0xff63, 0xff64];
const TILE = [0xff58, 0xff5c, 0xff5d, 0xff64];
const MAX_SIDE = 65_535;
const MAX_BITS = 16;
/** Each tile, and each packet, takes memory and time even where it has no bytes. */
const MAX_TILES = 4096;
const MAX_PACKETS = 131_072;
/** Of 2^15 x 2^15 samples, where a codestream does not say their size. */
const MAX_PRECINCT = 0xff;

interface Tiles extends ImageSize {
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly count: number;
}

/**
 * Reads the size of the image in a codestream of JPEG 2000, and finds out whether it is complete and one that may be
 * given to a decoder: a picture of one component of at most 16 bits, whose tiles, layers and precincts are few. Gives
 * what is wrong where it is not.
 */
function checkCodestream(bytes: Uint8Array): ImageSize | StreamProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== START || view.getUint16(2) !== SIZE)
    return { problem: 'does not begin with a codestream of JPEG 2000', allowed: 'the markers SOC and SIZ' };
  let image: Tiles | undefined;
  let packets: number | undefined;
  for (let at = 2; ; ) {
    if (at + 4 > bytes.length) return cut();
    const marker = view.getUint16(at);
    if (marker === TILE_PART) {
      if (image === undefined || packets === undefined) return cut();
      return findTilePartProblem(view, at) ?? image;
    }
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return cut();
    if (!MAIN.includes(marker) || (marker === SIZE) !== (image === undefined)) return unknownMarker(marker);
    const content = new DataView(view.buffer, view.byteOffset + at + 4, length - 2);
    if (marker === SIZE) {
      const read = readSize(content);
      if ('problem' in read) return read;
      image = read;
    } else if (marker === CODING) {
      if (packets !== undefined) return unknownMarker(marker);
      packets = countPackets(content, image as Tiles);
      if (packets === undefined) return cut();
      if (packets > MAX_PACKETS)
        return { problem: 'has more packets of JPEG 2000 than are read', received: packets, allowed: `${MAX_PACKETS}` };
    }
    at += 2 + length;
  }
}

function readSize(view: DataView): Tiles | StreamProblem {
  if (view.byteLength < 37) return cut();
  const [width, height, left, top, tileWidth, tileHeight, tileLeft, tileTop] = Array.from({ length: 8 }, (_, i) =>
    view.getUint32(2 + 4 * i),
  );
  const [components, sample] = [view.getUint16(34), view.getUint8(36)];
  const problem = (text: string, received: unknown, allowed: string) => ({
    problem: `has an image of JPEG 2000 ${text}`,
    received,
    allowed,
  });
  if (components !== 1 || view.byteLength !== 39) return problem('of several components', components, '1 (grey)');
  if (view.getUint8(37) !== 1 || view.getUint8(38) !== 1) return problem('that is subsampled', 'component 1', '1 x 1');
  if (sample > 127) return problem('of numbers with a sign', 'signed', 'unsigned');
  if (sample + 1 > MAX_BITS) {
    const allowed = `1 to ${MAX_BITS}; grib_set -r -s packingType=grid_simple writes other values`;
    return problem('of more bits than are read', sample + 1, allowed);
  }
  if (Math.max(width, height) > MAX_SIDE)
    return problem('that is larger than is read', `${width} x ${height}`, `sides of at most ${MAX_SIDE}`);
  if (left + top + tileLeft + tileTop > 0) return problem('that does not begin at its origin', [left, top], '0, 0');
  if (tileWidth === 0 || tileHeight === 0) return problem('with tiles of no size', [tileWidth, tileHeight], 'above 0');
  const count = Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight);
  if (count > MAX_TILES) return problem('of more tiles than are read', count, `at most ${MAX_TILES}`);
  return { width, height, bits: sample + 1, tileWidth, tileHeight, count };
}

/** The number of packets of all tiles: one for each layer, resolution and precinct; undefined where it is cut. */
function countPackets(view: DataView, { width, height, tileWidth, tileHeight, count }: Tiles): number | undefined {
  if (view.byteLength < 10) return undefined;
  const hasPrecincts = (view.getUint8(0) & 1) === 1;
  const [layers, levels] = [view.getUint16(2), view.getUint8(5)];
  if (levels > 32 || view.byteLength !== 10 + (hasPrecincts ? levels + 1 : 0)) return undefined;
  let precincts = 0;
  for (let resolution = 0; resolution <= levels; resolution++) {
    const sizes = hasPrecincts ? view.getUint8(10 + resolution) : MAX_PRECINCT;
    const across = precinctsAcross(Math.min(width, tileWidth), levels - resolution, sizes & 15);
    precincts += across * precinctsAcross(Math.min(height, tileHeight), levels - resolution, sizes >> 4);
  }
  return count * layers * precincts;
}

/** At most so many precincts of 2^exponent samples in a tile of `length` that is halved `halvings` times. */
function precinctsAcross(length: number, halvings: number, exponent: number): number {
  return Math.ceil(length / 2 ** (halvings + exponent)) + 1;
}

/** Follows the tile-parts from one to the next: they must not change what the main header says, nor end early. */
function findTilePartProblem(view: DataView, first: number): StreamProblem | undefined {
  for (let at = first; ; ) {
    if (at + 2 > view.byteLength) return cut();
    if (view.getUint16(at) === END) return undefined;
    if (at + 12 > view.byteLength || view.getUint16(at) !== TILE_PART || view.getUint16(at + 2) !== 10) return cut();
    const length = view.getUint32(at + 6);
    // The last one may leave its length open: then it reaches to the end of the codestream.
    const end = length === 0 ? view.byteLength - 2 : at + length;
    if (end > view.byteLength - 2) return cut();
    for (let marker = at + 12; ; marker += 2 + view.getUint16(marker + 2)) {
      if (marker + 2 > end) return cut();
      if (view.getUint16(marker) === DATA) break;
      if (marker + 4 > end) return cut();
      if (!TILE.includes(view.getUint16(marker))) return unknownMarker(view.getUint16(marker));
    }
    at = end;
  }
}

function cut(): StreamProblem {
  return { problem: 'has a codestream of JPEG 2000 that is cut or damaged', allowed: 'a complete codestream' };
}

function unknownMarker(marker: number): StreamProblem {
  return {
    problem: 'has a codestream of JPEG 2000 with a marker that is not read at its place',
    received: marker.toString(16),
    allowed: 'SIZ, COD, QCD, QCC, CRG, TLM, PLM, PLT and COM',
  };
}
