import { OptionError } from '../../errors.js';
import { type ArrayType, type AttributeValue, bytesOf, elementBytes } from '../array/array-file.js';
import { filledValues } from '../array/chunk-assembler.js';
import { ByteWriter } from '../hdf5/byte-writer.js';
import {
  type Datatype,
  fixedTextType,
  floatType,
  integerType,
  listType,
  recordType,
  referenceType,
  textType,
} from '../hdf5/datatypes.js';
import { GlobalHeap } from '../hdf5/global-heap.js';
import {
  attributeInfoMessage,
  attributeMessage,
  contiguousMessage,
  datatypeMessage,
  fillMessage,
  groupMessages,
  MAX_MESSAGE_BYTES,
  type Message,
  shapeMessage,
} from '../hdf5/messages.js';
import { createObjectHeader } from '../hdf5/object-header.js';
import type { NetcdfArray, NetcdfContent } from './netcdf-content.js';

/** An array whose values are in the file. */
export interface PlacedArray {
  readonly array: NetcdfArray;
  readonly shape: readonly number[];
  /** How and where its values are stored. */
  readonly storage: readonly Message[];
}

/**
 * An object of the file, and a function that creates the messages of its header from the addresses of all objects, with
 * lists on a heap.
 */
interface FileObject {
  readonly name: string;
  readonly messages: (addressOf: (name: string) => number, heap: GlobalHeap) => Message[];
}

/**
 * Creates the headers of all objects for the place `address`: their bytes, and the address of the header of the root
 * group.
 */
export function createHeaders(
  content: NetcdfContent,
  arrays: readonly PlacedArray[],
  address: number,
): { bytes: Uint8Array; root: number } {
  const objects = [
    ...dimensionsWithoutArray(content, arrays),
    ...arrays.map((placed) => arrayObject(placed, content, arrays)),
  ];
  const all: FileObject[] = [...objects, rootObject(content, objects)];
  // The length of a header does not depend on addresses: each is made once for its length, and again with the
  // addresses.
  const sizes = all.map(({ messages }) => createObjectHeader(messages(() => 0, new GlobalHeap(0))).length);
  const addresses = new Map<string, number>();
  let next = address;
  for (const [index, { name }] of all.entries()) {
    addresses.set(name, next);
    next += aligned(sizes[index]);
  }
  const heap = new GlobalHeap(next);
  const headers = all.map(({ messages }) =>
    padded(createObjectHeader(messages((name) => addresses.get(name) as number, heap))),
  );
  return { bytes: joined([...headers, heap.finish()]), root: addresses.get(ROOT) as number };
}

const ROOT = '/';

function rootObject({ attributes }: NetcdfContent, objects: readonly FileObject[]): FileObject {
  return {
    name: ROOT,
    messages: (addressOf, heap) => [
      ...groupMessages(objects.map(({ name }) => ({ name, address: addressOf(name) }))),
      ...withInfo([...attributes].map(([name, value]) => createAttribute(name, value, heap))),
    ],
  };
}

function arrayObject(
  { array, shape, storage }: PlacedArray,
  content: NetcdfContent,
  arrays: readonly PlacedArray[],
): FileObject {
  const { name, type, dimensions } = array;
  const scale = isCoordinate(array) ? [...content.dimensions.keys()].indexOf(name) : undefined;
  return {
    name,
    messages: (addressOf, heap) => [
      shapeMessage(
        shape,
        dimensions.map((dimension) => dimension === content.unlimited),
      ),
      datatypeMessage(elementType(type)),
      ...storage,
      ...withInfo([
        ...(scale === undefined ? [] : scaleAttributes(scale, name, shape[0], true)),
        ...(scale === undefined && dimensions.length > 0 ? [dimensionList(dimensions.map(addressOf), heap)] : []),
        ...(scale === undefined ? [] : usesOf(name, arrays, addressOf)),
        ...fillAttribute(array),
        ...[...array.attributes].map(([key, value]) => createAttribute(key, value, heap)),
      ]),
    ],
  };
}

/** Objects for dimensions that have no coordinates: HDF5 knows dimensions only as scales. */
function dimensionsWithoutArray(content: NetcdfContent, arrays: readonly PlacedArray[]): FileObject[] {
  const coordinates = new Set(arrays.filter(({ array }) => isCoordinate(array)).map(({ array }) => array.name));
  return [...content.dimensions].flatMap(([name, length], number) => {
    if (coordinates.has(name)) return [];
    const type = floatType(4);
    const messages = (addressOf: (name: string) => number) => [
      shapeMessage([length]),
      datatypeMessage(type),
      fillMessage(undefined, false),
      contiguousMessage(undefined, length * type.size),
      ...withInfo([...scaleAttributes(number, name, length, false), ...usesOf(name, arrays, addressOf)]),
    ];
    return [{ name, messages }];
  });
}

function isCoordinate({ name, dimensions }: NetcdfArray): boolean {
  return dimensions.length === 1 && dimensions[0] === name;
}

function usesOf(dimension: string, arrays: readonly PlacedArray[], addressOf: (name: string) => number): Message[] {
  const uses = arrays.flatMap(({ array }) =>
    isCoordinate(array)
      ? []
      : array.dimensions.flatMap((name, d) =>
          name === dimension ? [{ array: addressOf(array.name), dimension: d }] : [],
        ),
  );
  return uses.length === 0 ? [] : [referenceList(uses)];
}

function fillAttribute({ type, fillValue }: NetcdfArray): Message[] {
  if (fillValue === undefined || type === 'text') return [];
  return [attributeMessage('_FillValue', elementType(type), [1], bytesOf(filledValues(type, 1, fillValue)))];
}

function withInfo(attributes: readonly Message[]): Message[] {
  return [attributeInfoMessage(attributes.length), ...attributes];
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

function padded(bytes: Uint8Array): Uint8Array {
  const longer = new Uint8Array(aligned(bytes.length));
  longer.set(bytes);
  return longer;
}

/**
 * Attributes that make HDF5 arrays NetCDF variables with dimensions ("NetCDF-4 file format", and HDF5's specification
 * of dimension scales): arrays of coordinates are scales, each array refers to the scales of its dimensions, and each
 * scale to its arrays.
 */

/** The use of a dimension by an array, as its dimension with the given number. */
interface ScaleUse {
  readonly array: number;
  readonly dimension: number;
}

const WITHOUT_VARIABLE = 'This is a netCDF dimension but not a netCDF variable.';

/**
 * The attributes of the scale of the dimension with the given number: an array of coordinates, or one that only has a
 * length.
 */
function scaleAttributes(number: number, name: string, length: number, hasCoordinates: boolean): Message[] {
  const scaleName = hasCoordinates ? name : `${WITHOUT_VARIABLE}${String(length).padStart(10)}`;
  return [
    endedText('CLASS', 'DIMENSION_SCALE'),
    endedText('NAME', scaleName),
    attributeMessage('_Netcdf4Dimid', integerType(4, true), [], new ByteWriter().uint32(number).written()),
  ];
}

/** The addresses of the scales of an array's dimensions. */
function dimensionList(scales: readonly number[], heap: GlobalHeap): Message {
  const elements = scales.map((address) => heap.add(new ByteWriter().uint64(address).written(), 1));
  return attributeMessage('DIMENSION_LIST', listType(referenceType()), [scales.length], joined(elements));
}

/** The addresses of the arrays that use a scale. */
function referenceList(uses: readonly ScaleUse[]): Message {
  const type = recordType(16, [
    { name: 'dataset', at: 0, type: referenceType() },
    { name: 'dimension', at: 8, type: integerType(4, true) },
  ]);
  const value = new ByteWriter();
  for (const { array, dimension } of uses) value.uint64(array).uint32(dimension).zeros(4);
  return attributeMessage('REFERENCE_LIST', type, [uses.length], value.written());
}

function endedText(name: string, text: string): Message {
  const bytes = new TextEncoder().encode(`${text}\0`);
  return attributeMessage(name, fixedTextType(bytes.length), [], bytes);
}

const INT32 = integerType(4, true);
const FLOAT64 = floatType(8);

/** Creates an attribute as NetCDF stores it. Throws OptionError if its value is too long for a file. */
function createAttribute(name: string, value: AttributeValue, heap: GlobalHeap): Message {
  const message = createMessage(name, value, heap);
  if (message.body.length <= MAX_MESSAGE_BYTES) return message;
  throw new OptionError({
    subject: `attribute ${name}`,
    problem: 'is too long for NetCDF4',
    received: `${message.body.length} bytes`,
    allowed: `at most ${MAX_MESSAGE_BYTES} bytes`,
  });
}

function createMessage(name: string, value: AttributeValue, heap: GlobalHeap): Message {
  if (typeof value === 'string') return textAttribute(name, value);
  if (typeof value === 'number') return numberAttribute(name, [value], []);
  if (isTexts(value)) return textsAttribute(name, value, heap);
  return numberAttribute(name, value, [value.length]);
}

function textAttribute(name: string, text: string): Message {
  const bytes = new TextEncoder().encode(text);
  return attributeMessage(name, fixedTextType(Math.max(1, bytes.length)), bytes.length > 0 ? [] : undefined, bytes);
}

function textsAttribute(name: string, texts: readonly string[], heap: GlobalHeap): Message {
  const elements = texts.map((text) => {
    const bytes = new TextEncoder().encode(`${text}\0`);
    return heap.add(bytes, bytes.length);
  });
  return attributeMessage(name, textType(), [texts.length], joined(elements));
}

function numberAttribute(name: string, numbers: readonly number[], shape: readonly number[]): Message {
  const areInt32 = numbers.every((number) => Number.isInteger(number) && Math.abs(number) < 2 ** 31);
  const type: Datatype = areInt32 ? INT32 : FLOAT64;
  return attributeMessage(name, type, shape, bytesOf(areInt32 ? Int32Array.from(numbers) : Float64Array.from(numbers)));
}

/** Elements of one length, one after the other. */
function joined(elements: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(elements.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const element of elements) {
    all.set(element, at);
    at += element.length;
  }
  return all;
}

function isTexts(value: readonly string[] | readonly number[]): value is readonly string[] {
  return typeof value[0] === 'string';
}

/** How a file describes the elements of an array. */
export function elementType(type: ArrayType): Datatype {
  if (type === 'text') return textType();
  const size = elementBytes(type);
  return type.startsWith('float') ? floatType(size as 4 | 8) : integerType(size, type.startsWith('int'));
}
