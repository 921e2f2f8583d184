import { messageError } from '../message-error.js';
import type { Grib1Field } from '../messages.js';
import { Octets } from '../octets.js';
import type { GribGrid } from './grid.js';
import { readGridSection } from './read-grid.js';

/** Millionths of degrees in the unit of edition 1. */
const THOUSANDTH = 1000;
const CIRCLE = 360e6;
/** All bits of two octets. */
const MISSING = 65_535;
/** Flags of octet 17. */
const HAS_INCREMENTS = 0x80;
const IS_OBLATE = 0x40;
const ALONG_GRID = 0x08;
/** The latitude at which polar stereographic grids of edition 1 have their distances. */
const TRUE_LATITUDE = 60e6;
/** Code table 3.2: a sphere of 6,367,470 m, and the spheroid of the IAU of 1965. */
const [SPHERE, SPHEROID] = [0, 2];

/** The scanning mode: the first three bits of its octet (table 8); the others are reserved. */
function scanningMode(section: Octets): number {
  return section.unsigned(28) & 0xe0;
}

/** For each type of data representation (table 6) how its grid is written as section 3 of edition 2. */
const TYPES: Readonly<Record<number, (section: Octets) => Uint8Array>> = {
  0: (section) => axesSection(section, 0),
  1: mercatorSection,
  3: lambertSection,
  4: (section) => axesSection(section, 40),
  5: polarSection,
  10: (section) => axesSection(section, 1),
};

/** Names of those that are not read, for people. */
const UNREAD: Readonly<Record<number, string>> = {
  14: 'a rotated Gaussian grid',
  20: 'a stretched grid',
  24: 'a stretched Gaussian grid',
  30: 'a stretched and rotated grid',
  34: 'a stretched and rotated Gaussian grid',
  50: 'spherical harmonics',
  60: 'rotated spherical harmonics',
  70: 'stretched spherical harmonics',
  80: 'stretched and rotated spherical harmonics',
  90: 'a space view',
};

/**
 * Reads the grid of a field of edition 1: its section 2 is written as section 3 of edition 2, which has more digits.
 * Throws FormatError for grids that are not read, and for numbers that contradict each other.
 */
export function readGrib1Grid(field: Grib1Field): GribGrid {
  if (field.section2 === undefined) {
    throw messageError(field, 1, {
      problem: 'has a grid of a catalogue, which the message does not describe',
      received: `grid ${field.section1[6]}`,
      allowed: 'a message with section 2',
    });
  }
  const section = new Octets(field, 2, field.section2);
  const type = section.unsigned(6);
  const write = TYPES[type];
  if (write === undefined) {
    throw messageError(field, 2, {
      problem: 'has a grid that is not read',
      received: UNREAD[type] ?? `data representation ${type}`,
      allowed: 'latitudes and longitudes, also rotated, Gaussian, Mercator, Lambert and polar stereographic grids',
    });
  }
  return readGridSection(new Octets(field, 2, write(section)), field.section1[4]);
}

/** A section 3 of edition 2 that is being written. */
class GridSection {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(source: Octets, template: number, points: number, length = 84) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
    if (points >= 2 ** 32) throw tooLarge(source, points, 'points');
    this.#view.setUint32(6, points);
    this.#view.setUint16(12, template);
    this.bytes[14] = source.unsigned(17) & IS_OBLATE ? SPHEROID : SPHERE;
  }

  octet(octet: number, ...values: readonly number[]): this {
    this.bytes.set(values, octet - 1);
    return this;
  }

  unsigned(octet: number, value: number): this {
    this.#view.setUint32(octet - 1, value);
    return this;
  }

  /** A number whose first bit says that it is negative. */
  signed(octet: number, value: number): this {
    return this.unsigned(octet, value < 0 ? 2 ** 31 - value : value);
  }
}

function tooLarge(section: Octets, received: number, what: string) {
  return messageError(section.place, section.section, { problem: `has too many ${what}`, received, allowed: 'fewer' });
}

/** Millionths of degrees of an angle. */
function angle(section: Octets, octet: number): number {
  return section.signed(octet, 3) * THOUSANDTH;
}

/** Millimetres of a distance in metres. */
function distance(section: Octets, octet: number): number {
  const millimetres = section.distance(octet, 3) * 1000;
  if (millimetres < 2 ** 32) return millimetres;
  throw tooLarge(section, millimetres / 1000, 'metres between points');
}

/** Latitudes and longitudes, Gaussian latitudes, and those of a rotated system. */
function axesSection(section: Octets, template: number): Uint8Array {
  const rows = section.unsigned(9, 2);
  const counts = section.unsigned(7, 2) === MISSING ? rowLengths(section, rows) : undefined;
  const columns = section.unsigned(7, 2);
  const points = counts?.reduce((sum, count) => sum + count, 0) ?? columns * rows;
  const [first, increment] = [angle(section, 14), incrementOf(section, 24, columns)];
  const isStated = (section.unsigned(17) & HAS_INCREMENTS) !== 0;
  const isCircle = counts === undefined && isFullCircle(first, angle(section, 21), scanningMode(section), columns);
  const hasIncrement = isStated && increment !== MISSING && counts === undefined && !isCircle;
  const rowIncrement = template === 40 ? section.unsigned(26, 2) : incrementOf(section, 26, rows);
  const hasRowIncrement = isStated && rowIncrement !== MISSING && template !== 40;
  const last = isCircle ? circleEnd(first, scanningMode(section), columns) : angle(section, 21);
  const grid = new GridSection(section, template, points, 84 + 2 * (counts?.length ?? 0))
    .unsigned(31, counts === undefined ? columns : 2 ** 32 - 1)
    .unsigned(35, rows)
    .signed(47, angle(section, 11))
    .signed(51, first)
    .octet(55, (hasIncrement ? 0x20 : 0) | (hasRowIncrement ? 0x10 : 0) | (section.unsigned(17) & ALONG_GRID))
    .signed(56, angle(section, 18))
    .signed(60, last)
    .unsigned(64, increment * THOUSANDTH)
    .unsigned(68, template === 40 ? rowIncrement : rowIncrement * THOUSANDTH)
    .octet(72, scanningMode(section));
  if (counts !== undefined) {
    if (template === 1) throw unreadRows(section);
    grid.octet(11, 2, 1).octet(73, ...counts.flatMap((count) => [count >> 8, count & 255]));
  }
  if (template === 1) {
    grid
      .signed(73, angle(section, 33))
      .signed(77, angle(section, 36))
      .signed(81, Math.round(section.ibmFloat(39) * 1e6));
  }
  return grid.bytes;
}

/** Thousandths of degrees between points; what is too long for so many is negative. */
function incrementOf(section: Octets, octet: number, points: number): number {
  const value = section.unsigned(octet, 2);
  return value !== MISSING && value * (points - 1) > CIRCLE / THOUSANDTH ? section.distance(octet, 2) : value;
}

function unreadRows(section: Octets) {
  const problem = 'has rows of different lengths on a rotated grid, which are not read';
  return messageError(section.place, section.section, { problem, allowed: 'rows of the same length' });
}

/** The numbers of points of each row, which follow the vertical coordinates. */
function rowLengths(section: Octets, rows: number): number[] {
  const location = section.unsigned(5);
  if (location === 255) {
    const parts = { problem: 'has no list of the points of each row', allowed: 'a list, or rows of the same length' };
    throw messageError(section.place, section.section, parts);
  }
  const first = location + 4 * section.unsigned(4);
  return Array.from({ length: rows }, (_, row) => section.unsigned(first + 2 * row, 2));
}

/** Whether columns go around the earth, but for the rounding of their last longitude. */
function isFullCircle(first: number, last: number, scanningMode: number, columns: number): boolean {
  const distance = last - circleEnd(first, scanningMode, columns);
  return columns > 1 && Math.abs(distance - CIRCLE * Math.round(distance / CIRCLE)) <= THOUSANDTH;
}

/** The last longitude of columns that go around the earth. */
function circleEnd(first: number, scanningMode: number, columns: number): number {
  const span = Math.round(CIRCLE * (1 - 1 / columns));
  return first + (scanningMode & 0x80 ? -span : span);
}

/** What Mercator, Lambert and polar stereographic grids share. */
function projectionSection(section: Octets, template: number): GridSection {
  const [columns, rows] = [section.unsigned(7, 2), section.unsigned(9, 2)];
  return new GridSection(section, template, columns * rows)
    .unsigned(31, columns)
    .unsigned(35, rows)
    .signed(39, angle(section, 11))
    .signed(43, angle(section, 14))
    .octet(47, section.unsigned(17) & ALONG_GRID);
}

function mercatorSection(section: Octets): Uint8Array {
  return projectionSection(section, 10)
    .signed(48, angle(section, 24))
    .octet(60, scanningMode(section))
    .unsigned(65, distance(section, 29))
    .unsigned(69, distance(section, 32)).bytes;
}

function lambertSection(section: Octets): Uint8Array {
  return conicSection(section, 30).signed(66, angle(section, 29)).signed(70, angle(section, 32)).bytes;
}

function polarSection(section: Octets): Uint8Array {
  const isSouth = (section.unsigned(27) & 0x80) !== 0;
  return conicSection(section, 20).signed(48, isSouth ? -TRUE_LATITUDE : TRUE_LATITUDE).bytes;
}

function conicSection(section: Octets, template: number): GridSection {
  return projectionSection(section, template)
    .signed(52, angle(section, 18))
    .unsigned(56, distance(section, 21))
    .unsigned(60, distance(section, 24))
    .octet(64, section.unsigned(27), scanningMode(section));
}
