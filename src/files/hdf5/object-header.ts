import { ByteWriter } from './byte-writer.js';
import { checksum } from './checksum.js';
import { MAX_MESSAGE_BYTES, type Message } from './messages.js';

const ATTRIBUTE = 0x0c;
const SIZE_OF_4_BYTES = 2;
const ATTRIBUTES_TRACKED = 1 << 2;
const ATTRIBUTE_LIMITS = 1 << 4;

/**
 * Creates an object header (version 2) in one part, without times: the same messages give the same bytes. Attributes
 * keep their order.
 */
export function createObjectHeader(messages: readonly Message[]): Uint8Array {
  const body = new ByteWriter();
  let attributes = 0;
  for (const { type, body: bytes } of messages) {
    body.uint8(type).uint16(bytes.length).uint8(0);
    body.uint16(type === ATTRIBUTE ? attributes++ : 0).bytes(bytes);
  }
  const out = new ByteWriter().text('OHDR').uint8(2);
  out.uint8(SIZE_OF_4_BYTES | ATTRIBUTES_TRACKED | ATTRIBUTE_LIMITS);
  out.uint16(MAX_MESSAGE_BYTES).uint16(0).uint32(body.length).bytes(body.written());
  return out.uint32(checksum(out.written())).written();
}
