/** The digits of Crockford's base 32. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The bytes of the id of a snapshot, a manifest or a chunk. */
export const ID_BYTES = 12;

/** Whether a text can be the name of an object: 12 bytes are 20 digits, the last of which has 4 bits of them. */
export function isObjectName(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{20}$/.test(text);
}

/** The name of an object, from its id: in base 32 without padding. */
export function objectName(id: Uint8Array): string {
  let [name, bits, count] = ['', 0, 0];
  for (const byte of id) {
    bits = ((bits << 8) | byte) & 0xffff;
    for (count += 8; count >= 5; ) {
      count -= 5;
      name += DIGITS[(bits >> count) & 31];
    }
  }
  return count === 0 ? name : name + DIGITS[(bits << (5 - count)) & 31];
}
