import { floatType } from '../hdf5/datatypes.js';
import { GlobalHeap } from '../hdf5/global-heap.js';
import {
  attributeInfoMessage,
  attributeMessage,
  contiguousMessage,
  datatypeMessage,
  fillMessage,
  groupMessages,
  type Message,
  shapeMessage,
} from '../hdf5/messages.js';
import { createObjectHeader } from '../hdf5/object-header.js';
import { createAttribute, joined } from './attribute-messages.js';
import { dimensionList, referenceList, scaleAttributes } from './dimension-scales.js';
import { bytesOf, elementType, filledValues } from './element-types.js';
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
