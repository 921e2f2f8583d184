import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';

/** The directions in which points follow each other. */
export interface ScanMode {
  /** 1 where the next point of a row lies to the east, or at a larger x; else -1. */
  readonly i: 1 | -1;
  /** 1 where the next row lies to the north, or at a larger y; else -1. */
  readonly j: 1 | -1;
}

/** Reads the scanning mode, flag table 3.4. Throws FormatError for rows that are offset against each other. */
export function readScanMode(section: Octets, octet: number): ScanMode {
  const flags = section.unsigned(octet);
  if ((flags & 0x0f) === 0) return { i: flags & 0x80 ? -1 : 1, j: flags & 0x40 ? 1 : -1 };
  throw messageError(section.place, section.section, {
    problem: 'has rows that are offset against each other',
    received: `scanning mode ${flags}`,
    allowed: 'a scanning mode whose last four bits are 0',
  });
}
