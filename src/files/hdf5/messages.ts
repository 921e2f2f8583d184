import { ByteWriter } from './byte-writer.js';
import type { Datatype } from './datatypes.js';

/** A message of an object header, which describes the object. */
export interface Message {
  readonly type: number;
  readonly body: Uint8Array;
}

/** The address of something that does not exist. */
const NOWHERE = new Uint8Array(8).fill(255);
/** The length of a dimension without a limit. */
const UNLIMITED = new Uint8Array(8).fill(255);
/** The most bytes of a message. */
export const MAX_MESSAGE_BYTES = 65_535;
const TRACKED = 1;
/** Links and attributes stay in headers, however many there are. */
const COMPACT = { most: 65_535, least: 0 };
const SHUFFLE = 2;
const DEFLATE = 1;

function message(type: number, write: (out: ByteWriter) => void): Message {
  const out = new ByteWriter();
  write(out);
  return { type, body: out.written() };
}

/** The length of each dimension, and whether it may grow; no dimensions for a single value. */
function dataspace(shape: readonly number[], mayGrow: readonly boolean[] = []): Uint8Array {
  const isSimple = shape.length > 0 ? 1 : 0;
  const hasLimits = mayGrow.includes(true);
  const out = new ByteWriter()
    .uint8(2)
    .uint8(shape.length)
    .uint8(hasLimits ? 1 : 0)
    .uint8(isSimple);
  for (const length of shape) out.uint64(length);
  if (!hasLimits) return out.written();
  for (const [d, length] of shape.entries()) {
    if (mayGrow[d]) out.bytes(UNLIMITED);
    else out.uint64(length);
  }
  return out.written();
}

const NO_DATASPACE = Uint8Array.of(2, 0, 0, 2);

export function shapeMessage(shape: readonly number[], mayGrow?: readonly boolean[]): Message {
  return { type: 0x01, body: dataspace(shape, mayGrow) };
}

export function datatypeMessage({ message: body }: Datatype): Message {
  return { type: 0x03, body };
}

/** The value of elements that were never written, as the bytes of one element; zeros if undefined. */
export function fillMessage(value: Uint8Array | undefined, chunked: boolean): Message {
  const allocatedLateOrByChunk = chunked ? 3 : 2;
  const writtenIfSet = 2 << 2;
  const defined = 1 << 5;
  return message(0x05, (out) => {
    out.uint8(3);
    if (value === undefined) out.uint8(allocatedLateOrByChunk | writtenIfSet);
    else
      out
        .uint8(allocatedLateOrByChunk | writtenIfSet | defined)
        .uint32(value.length)
        .bytes(value);
  });
}

/** Values in one run of bytes; without an address if there are none. */
export function contiguousMessage(address: number | undefined, bytes: number): Message {
  return message(0x08, (out) => {
    out.uint8(3).uint8(1);
    if (address === undefined) out.bytes(NOWHERE);
    else out.uint64(address);
    out.uint64(bytes);
  });
}

/** Values in chunks, found by the index at `address`. */
export function chunkedMessage(address: number | undefined, chunk: readonly number[], elementBytes: number): Message {
  return message(0x08, (out) => {
    out
      .uint8(3)
      .uint8(2)
      .uint8(chunk.length + 1);
    if (address === undefined) out.bytes(NOWHERE);
    else out.uint64(address);
    for (const length of chunk) out.uint32(length);
    out.uint32(elementBytes);
  });
}

/** Chunks whose bytes are shuffled and then deflated. */
export function deflateMessage(level: number, elementBytes: number): Message {
  const optional = 1;
  return message(0x0b, (out) => {
    out.uint8(2).uint8(2);
    out.uint16(SHUFFLE).uint16(optional).uint16(1).uint32(elementBytes);
    out.uint16(DEFLATE).uint16(optional).uint16(1).uint32(level);
  });
}

/** An attribute; without a shape it has no value. */
export function attributeMessage(
  name: string,
  { message: type }: Datatype,
  shape: readonly number[] | undefined,
  value: Uint8Array,
): Message {
  const space = shape === undefined ? NO_DATASPACE : dataspace(shape);
  const utf8 = 1;
  const encoded = new TextEncoder().encode(`${name}\0`);
  return message(0x0c, (out) => {
    out.uint8(3).uint8(0).uint16(encoded.length).uint16(type.length).uint16(space.length).uint8(utf8);
    out.bytes(encoded).bytes(type).bytes(space).bytes(value);
  });
}

/** How the attributes are kept: in the header, in the order of their creation. */
export function attributeInfoMessage(count: number): Message {
  return message(0x15, (out) => out.uint8(0).uint8(TRACKED).uint16(count).bytes(NOWHERE).bytes(NOWHERE));
}

/** A group whose links are kept in its header, in the order of their creation. */
export function groupMessages(links: readonly { name: string; address: number }[]): Message[] {
  return [
    message(0x02, (out) => out.uint8(0).uint8(TRACKED).uint64(links.length).bytes(NOWHERE).bytes(NOWHERE)),
    message(0x0a, (out) => out.uint8(0).uint8(1).uint16(COMPACT.most).uint16(COMPACT.least)),
    ...links.map(({ name, address }, order) => linkMessage(name, address, order)),
  ];
}

function linkMessage(name: string, address: number, order: number): Message {
  const encoded = new TextEncoder().encode(name);
  const nameLengthOf2Bytes = 1;
  const hasOrder = 1 << 2;
  const hasCharacterSet = 1 << 4;
  const utf8 = 1;
  return message(0x06, (out) => {
    out.uint8(1).uint8(nameLengthOf2Bytes | hasOrder | hasCharacterSet);
    out.uint64(order).uint8(utf8).uint16(encoded.length).bytes(encoded).uint64(address);
  });
}
