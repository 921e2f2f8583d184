import { reflectedCrc } from './reflected-crc.js';

/** The CRC-32 checksum of gzip and of Parquet's pages (RFC 1952, section 8). */
export const crc32 = reflectedCrc(0xedb88320);
