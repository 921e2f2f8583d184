import { messageError } from '../message-error.js';
import type { GribField } from '../messages.js';
import { Octets } from '../octets.js';
import { gaussianGrid } from './gaussian-grid.js';
import type { GribGrid, UnscannedGrid } from './grid.js';
import { lambertGrid, mercatorGrid, polarGrid } from './projected-grid.js';
import { regularGrid, rotatedGrid } from './regular-grid.js';

/** More points than any grid has: the number is checked before memory is taken. */
const MAX_POINTS = 2 ** 27;

interface Template {
  readonly read: (section: Octets) => UnscannedGrid;
  /** The octets of the resolution and component flags, and of the scanning mode. */
  readonly flags: number;
  readonly scanningMode: number;
  /** Rows and columns are not along parallels and meridians. */
  readonly isTurned?: true;
}

const TEMPLATES: Readonly<Record<number, Template>> = {
  0: { read: regularGrid, flags: 55, scanningMode: 72 },
  1: { read: rotatedGrid, flags: 55, scanningMode: 72, isTurned: true },
  10: { read: mercatorGrid, flags: 47, scanningMode: 60 },
  20: { read: polarGrid, flags: 47, scanningMode: 65, isTurned: true },
  30: { read: lambertGrid, flags: 47, scanningMode: 65, isTurned: true },
  40: { read: gaussianGrid, flags: 55, scanningMode: 72 },
};
/** Flag table 3.3: components of vectors are along rows and columns, not eastwards and northwards. */
const ALONG_GRID = 0x08;

/**
 * Reads the grid of a field from its section 3. Throws FormatError for templates that are not read, and for numbers
 * that contradict each other.
 */
export function readGrid(field: GribField): GribGrid {
  return readGridSection(new Octets(field, 3, field.section3));
}

/** The same, from the octets of section 3. */
export function readGridSection(section: Octets): GribGrid {
  const template = section.unsigned(13, 2);
  const known = TEMPLATES[template];
  if (section.unsigned(6) !== 0 || known === undefined) {
    throw messageError(section.place, section.section, {
      problem: 'has a grid that is not read',
      received: section.unsigned(6) === 0 ? `grid definition template 3.${template}` : 'a grid that the centre defines',
      allowed: `templates ${Object.keys(TEMPLATES)
        .map((number) => `3.${number}`)
        .join(', ')}; cdo remapbil makes them of others`,
    });
  }
  const stated = section.unsigned(7, 4);
  if (stated < 1 || stated > MAX_POINTS) {
    const problem = 'has an impossible number of points';
    throw messageError(section.place, section.section, { problem, received: stated, allowed: `1 to ${MAX_POINTS}` });
  }
  const hasTurnedVectors = known.isTurned === true && (section.unsigned(known.flags) & ALONG_GRID) !== 0;
  const grid = { ...known.read(section), hasTurnedVectors, scanningMode: section.unsigned(known.scanningMode) };
  const points = grid.shape.reduce((product, length) => product * length, 1);
  if (points === stated) return grid;
  throw messageError(section.place, section.section, {
    problem: 'has another number of points than its rows',
    received: `${stated}, by its rows ${points}`,
    allowed: 'the same number',
  });
}
