import { ByteWriter } from '../hdf5/byte-writer.js';
import { fixedTextType, integerType, listType, recordType, referenceType } from '../hdf5/datatypes.js';
import type { GlobalHeap } from '../hdf5/global-heap.js';
import { attributeMessage, type Message } from '../hdf5/messages.js';
import { joined } from './attribute-messages.js';

/**
 * Attributes that make HDF5 arrays NetCDF variables with dimensions ("NetCDF-4 file format", and HDF5's specification
 * of dimension scales): arrays of coordinates are scales, each array refers to the scales of its dimensions, and each
 * scale to its arrays.
 */

/** The use of a dimension by an array, as its dimension with the given number. */
export interface ScaleUse {
  readonly array: number;
  readonly dimension: number;
}

const WITHOUT_VARIABLE = 'This is a netCDF dimension but not a netCDF variable.';

/**
 * The attributes of the scale of the dimension with the given number: an array of coordinates, or one that only has a
 * length.
 */
export function scaleAttributes(number: number, name: string, length: number, hasCoordinates: boolean): Message[] {
  const scaleName = hasCoordinates ? name : `${WITHOUT_VARIABLE}${String(length).padStart(10)}`;
  return [
    endedText('CLASS', 'DIMENSION_SCALE'),
    endedText('NAME', scaleName),
    attributeMessage('_Netcdf4Dimid', integerType(4, true), [], new ByteWriter().uint32(number).written()),
  ];
}

/** The addresses of the scales of an array's dimensions. */
export function dimensionList(scales: readonly number[], heap: GlobalHeap): Message {
  const elements = scales.map((address) => heap.add(new ByteWriter().uint64(address).written(), 1));
  return attributeMessage('DIMENSION_LIST', listType(referenceType()), [scales.length], joined(elements));
}

/** The addresses of the arrays that use a scale. */
export function referenceList(uses: readonly ScaleUse[]): Message {
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
