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
  uint,
} from '../reference/grib-message.js';
import { pixelBits, writePng } from '../reference/grib-png.js';
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
    ['several-fields', several],
    ['several-messages', joined(uint(0, 9), complex[2], [71, 82, 73], ccsds[0], uint(0, 4), several)],
  ]);
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
