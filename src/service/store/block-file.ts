import { JsonFields } from '../../check/json-fields.js';
import { FormatError } from '../../errors.js';
import { formatDate } from '../../period/day.js';
import type { BlockMemory } from '../blocks/block-memory.js';
import type { Axis } from '../source/dataset.js';
import { CODEC_NAMES, type CodecName } from './block-codec.js';

/*
 * A file of blocks: the values of one variable, all of a place in one block.
 *
 *   8 bytes     PLUMEBLK
 *   blocks      place after place: the bytes of the codec, zeros up to a multiple of 4, and the digest of both (uint32)
 *   fields      the quantum and the origins of the grid of fields (float64), and their digest, where blocks have one
 *   lengths     the bytes of each place's block (uint32), and their digest, where the codec's blocks differ in length
 *   footer      JSON: what the blocks are
 *   16 bytes    the length of the footer (uint32), its digest (uint32), PLUMEBLK
 *
 * All numbers have their least significant byte first.
 */

/** A variable of a part, without its values. */
export interface SeriesHead {
  readonly slug: string;
  readonly units: string;
  readonly axis: Axis;
}

/** The number of values of one place: the days of the first member, then those of the next. */
export function seriesWidth({ members, days }: Pick<Axis, 'members' | 'days'>): number {
  return members * days;
}

/** The first and the last bytes of a file of blocks. */
export const BLOCK_MAGIC = /* @__PURE__ */ new TextEncoder().encode('PLUMEBLK');

/** The bytes behind the footer. */
export const TAIL_BYTES = 16;

/** The bytes of a digest. */
export const DIGEST_BYTES = 4;

/** The place that lengths and footer have in digests: no place has this number. */
export const NO_PLACE = -1;

const KIND = 'plumecast blocks';
const VERSION = 1;

/** How the blocks of a file are encoded, as its footer states it. */
export interface FooterCodec {
  readonly name: CodecName;
  /** The quantum that values were rounded to, in their units; undefined where every bit was kept. */
  readonly precision?: number;
  /** Whether the file has the grid of fields that blocks were encoded with. */
  readonly hasFields: boolean;
}

/** The bytes of a block with its zeros and its digest. */
export function storedBytes(blockBytes: number): number {
  return Math.ceil(blockBytes / 4) * 4 + DIGEST_BYTES;
}

/** Writes the footer of a file. */
export function formatFooter(
  { slug, units, axis }: SeriesHead,
  places: number,
  { name, precision, hasFields }: FooterCodec,
): Uint8Array {
  const { firstDay, days, members } = axis;
  const named = { kind: KIND, version: VERSION, variable: slug, units, firstDate: formatDate(firstDay), days, members };
  const codec = { codec: name, precision, fields: hasFields || undefined };
  return new TextEncoder().encode(JSON.stringify({ ...named, places, ...codec }));
}

/** Reads a footer. Throws FormatError where it is not of the expected variable and places. */
export function parseFooter(text: string, head: SeriesHead, places: number, file: string): FooterCodec {
  const fields = JsonFields.parse(text, file, 'the footer of a file of blocks');
  fields.word('kind', [KIND]);
  const version = fields.count('version');
  const newer = (problem: string, received: unknown, allowed: string) =>
    new FormatError({ subject: file, problem, received, allowed: `${allowed}, or a newer release of plumecast` });
  if (version > VERSION) throw newer('is of a newer version', version, `up to ${VERSION}`);
  const { slug, units, axis } = head;
  const expected = {
    variable: slug,
    units,
    firstDate: formatDate(axis.firstDay),
    days: axis.days,
    members: axis.members,
  };
  for (const [name, allowed] of Object.entries({ ...expected, places })) {
    const received = fields.value(name);
    if (received === allowed) continue;
    throw new FormatError({
      ...{ subject: file, problem: `has other ${name} than its store says`, received, allowed: String(allowed) },
    });
  }
  const received = fields.text('codec');
  const name = CODEC_NAMES.find((each) => each === received);
  if (name === undefined) throw newer('has blocks of an unknown codec', received, CODEC_NAMES.join(', '));
  return { name, precision: fields.optionalPositive('precision'), hasFields: fields.value('fields') === true };
}

/** The digest of some bytes. */
export function digestOf(memory: BlockMemory, bytes: Uint8Array, place: number): number {
  memory.buffer(bytes.length).set(bytes);
  return memory.digest(bytes.length, place);
}
