import { reflectedCrc } from '../codecs/reflected-crc.js';

/** The CRC-32C checksum, by the polynomial of Castagnoli (RFC 3720, appendix B.4). */
export const crc32c = reflectedCrc(0x82f63b78);
