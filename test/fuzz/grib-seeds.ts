import { ccsdsSection, writeCcsds } from '../reference/grib-ccsds.js';
import { type Group, writeComplex } from '../reference/grib-complex.js';
import { codestream } from '../reference/grib-jpeg2000.js';
import {
  bitmapSection,
  fieldMessage,
  joined,
  message,
  NO_BITMAP,
  SECTION_1,
  SECTION_4,
  section,
  section3,
  section5,
  signed,
  uint,
} from '../reference/grib-message.js';
import { pixelBits, writePng } from '../reference/grib-png.js';
import { amountSection, axesSection, conicSection, mercatorSection, millionths } from '../reference/grib-sections.js';
import { grib1Message, secondOrderSection, simpleSection } from '../reference/grib1-message.js';

const POINTS = 200;
const SCALE = { reference: 250, binary: -2, decimal: 1 };
const NUMBERS = Array.from({ length: POINTS }, (_, i) => Math.round(100 + 90 * Math.sin(i / 9)) + (i % 3));
const LAYOUT = {
  ...{ missing: 0, referenceBits: 8, smallestWidth: 0, widthBits: 4, smallestLength: 1, lengthStep: 1, lengthBits: 6 },
  ...{ order: 0, first: [1, 2], minimum: -3, bytes: 2 },
};
const CCSDS = {
  bits: 9,
  blockSize: 16,
  interval: 4,
  isSigned: false,
  isFolded: true,
  isRestricted: false,
  isPadded: false,
};

/**
 * Files of GRIB in all packings, by their names: messages of one field and of several, bitmaps, and what lies
 * between messages.
 */
export function gribSeeds(): Map<string, Uint8Array> {
  const simple = section5(0, POINTS, SCALE, 16, []);
  const numbers = NUMBERS.flatMap((number) => uint(number, 2));
  const groups = Array.from({ length: 10 }, (_, group) => ({
    reference: 10 * group,
    width: group % 4 === 0 ? 0 : 6,
    numbers: NUMBERS.slice(20 * group, 20 * group + 20).map((number) => (group % 4 === 0 ? 0 : number % 64)),
  }));
  const complex = [0, 1, 2].map((order) => {
    const packed = writeComplex(groups, { ...LAYOUT, order, missing: order }, SCALE);
    return fieldMessage(POINTS, packed.section5, packed.data);
  });
  const codings = ['pairs', 3, 'zeros', 'plain', 5] as const;
  const ccsds = [CCSDS, { ...CCSDS, isFolded: false, isPadded: true, bits: 12 }].map((layout) =>
    fieldMessage(POINTS, ccsdsSection(POINTS, layout, SCALE), writeCcsds(NUMBERS, layout, codings)),
  );
  const images = ([0, 2, 6] as const).map((colour) => {
    const layout = { width: 20, height: 10, depth: 8, colour, filters: [0, 1, 2, 3, 4], chunkBytes: 150 };
    return fieldMessage(POINTS, section5(41, POINTS, SCALE, pixelBits(layout), []), writePng(NUMBERS, layout));
  });
  const fewBits = { width: 20, height: 10, depth: 2, colour: 0, filters: [4, 2], chunkBytes: 1000 };
  const png2 = writePng(
    NUMBERS.map((number) => number % 4),
    fewBits,
  );
  const zeros = new Array(POINTS).fill(0);
  const flat = fieldMessage(POINTS, ccsdsSection(POINTS, CCSDS, SCALE), writeCcsds(zeros, CCSDS, ['zeros']));
  const floats = section(5, uint(3, 4), uint(4, 2), [1]);
  const bitmap = bitmapSection(NUMBERS.map((_, i) => i % 2 === 0));
  const half = section5(0, POINTS / 2, SCALE, 16, []);
  const data = section(7, numbers.slice(0, POINTS));
  const several = message(
    ...[SECTION_1, section3(POINTS), SECTION_4, half, bitmap, data],
    ...[SECTION_4, half, section(6, [254]), data],
    ...[section3(POINTS), SECTION_4, simple, NO_BITMAP, section(7, numbers)],
  );
  return new Map([
    ['simple', fieldMessage(POINTS, simple, numbers)],
    ['constant', fieldMessage(POINTS, section5(0, POINTS, SCALE, 0, []), [])],
    ...complex.map((bytes, order) => [`complex-${order}`, bytes] as const),
    ...ccsds.map((bytes, i) => [`ccsds-${i}`, bytes] as const),
    ['ccsds-zeros', flat],
    ...images.map((bytes, i) => [`png-${i}`, bytes] as const),
    ['png-bits', fieldMessage(POINTS, section5(41, POINTS, SCALE, 2, []), png2)],
    ['jpeg-2000', fieldMessage(POINTS, section5(40, POINTS, SCALE, 8, [0, 255]), codestream())],
    ['floats', fieldMessage(3, floats, [...uint(0x3f800000, 4), ...uint(0, 8)])],
    ['bitmap', message(SECTION_1, section3(POINTS), SECTION_4, half, bitmap, data)],
    ...edition1Seeds(groups),
    ...gridSeeds(),
    ['members', members()],
    ['several-fields', several],
    ['several-messages', joined(uint(0, 9), complex[2], [71, 82, 73], ccsds[0], uint(0, 4), several)],
  ]);
}

/** Constant fields on grids of all templates, each with amounts of members and a hindcast. */
function gridSeeds(): [string, Uint8Array][] {
  const plane = {
    rows: 10,
    columns: 20,
    latitude: 40,
    longitude: -100,
    distances: [30e3, 20e3],
    scanningMode: 0x40,
  } as const;
  const conic = { ...plane, trueLatitude: 60 };
  const axes = { rows: 10, columns: 20, latitudes: millionths(45, 0), longitudes: millionths(350, 8), last: 5e6 };
  const pole = [...signed(-40e6, 4), ...signed(15e6, 4), ...signed(0, 4)];
  const lengths = [20, 25, 30, 25, 30, 25, 25, 20];
  const reduced = { rows: 8, lengths, latitudes: millionths(73.799214, -73.799214), longitudes: millionths(0, 348) };
  const grids: [string, Uint8Array][] = [
    ['rotated', axesSection({ ...axes, template: 1, rest: pole })],
    ['columns', axesSection({ ...axes, scanningMode: 0x30, basic: [1, 1_000_000] })],
    ['gaussian', axesSection({ ...reduced, template: 40, last: 4 })],
    ['reduced', axesSection({ ...reduced, latitudes: millionths(70, -70) })],
    ['mercator', mercatorSection({ ...conic, trueLatitude: 20 })],
    ['polar', conicSection(conic, -105, 0)],
    ['lambert', conicSection(conic, -95, 0, [30, 60])],
  ];
  const constant = section5(0, POINTS, SCALE, 0, []);
  const field = (grid: Uint8Array, product: Uint8Array) =>
    message(SECTION_1, grid, product, constant, NO_BITMAP, section(7));
  return grids.map(([name, grid], i) => [`grid-${name}`, field(grid, amountSection(0, 6, i, i % 3 === 0))]);
}

/** Buckets and amounts since the start of three members. */
function members(): Uint8Array {
  const constant = section5(0, POINTS, SCALE, 0, []);
  const field = (start: number, end: number, member: number) =>
    message(SECTION_1, section3(POINTS), amountSection(start, end, member), constant, NO_BITMAP, section(7));
  return joined(
    ...[0, 1, 2].flatMap((member) => [0, 6, 12].map((start) => field(start, start + 6, member))),
    field(0, 24, 1),
  );
}

/** The same of edition 1. */
function edition1Seeds(groups: readonly Group[]): [string, Uint8Array][] {
  const simple = simpleSection(NUMBERS, 12, SCALE);
  const message = (section4: Uint8Array, bitmap?: readonly boolean[]) =>
    grib1Message(section4, { rows: 10, columns: 20, decimal: 1, ...(bitmap && { bitmap }) });
  const constant = groups.map((group) => ({ ...group, width: 6 }));
  const half = NUMBERS.map((_, i) => i % 2 === 0);
  const differences = [1, 2, 3].map((order) => {
    const first = [100, 101, 103].slice(0, order);
    const rest = groups.map((group, i) => (i > 0 ? group : { ...group, numbers: group.numbers.slice(order) }));
    return secondOrderSection('extended', rest, 8, SCALE, { first, minimum: -3, bits: 9 }, order === 2);
  });
  return [
    ['edition-1-simple', message(simple)],
    ['edition-1-bitmap', message(simpleSection(NUMBERS.slice(0, POINTS / 2), 12, SCALE), half)],
    ['edition-1-rows', message(secondOrderSection('rows', groups, 8, SCALE))],
    ['edition-1-constant-width', message(secondOrderSection('constantWidth', constant, 8, SCALE))],
    ['edition-1-different-widths', message(secondOrderSection('differentWidths', groups, 8, SCALE))],
    ...differences.map((section4, i): [string, Uint8Array] => [`edition-1-differences-${i + 1}`, message(section4)]),
  ];
}
