import { ByteWriter } from '../hdf5/byte-writer.js';
import { fixedTextType, integerType, listType, recordType, referenceType } from '../hdf5/datatypes.js';
import type { GlobalHeap } from '../hdf5/global-heap.js';
import { attributeMessage, type Message } from '../hdf5/messages.js';
import { joined } from './attribute-messages.js';

/**
 * What makes HDF5 arrays NetCDF variables on dimensions ("NetCDF-4 file format", and HDF5's specification of dimension
 * scales): the arrays of coordinates are scales, and all arrays name the scales of their dimensions, and these the
 * arrays.
 */

/** A dimension's use by an array: as its dimension of the given number. */
export interface ScaleUse {
  readonly array: number;
  readonly dimension: number;
}

const WITHOUT_VARIABLE = 'This is a netCDF dimension but not a netCDF variable.';

/**
 * Attributes of the scale of the dimension with the given number: an array of coordinates, or of nothing but a length.
 */
export function scaleAttributes(number: number, name: string, length: number, hasCoordinates: boolean): Message[] {
  const says = hasCoordinates ? name : `${WITHOUT_VARIABLE}${String(length).padStart(10)}`;
  return [
    endedText('CLASS', 'DIMENSION_SCALE'),
    endedText('NAME', says),
    attributeMessage('_Netcdf4Dimid', integerType(4, true), [], new ByteWriter().uint32(number).written()),
  ];
}

/** Where the scales of an array's dimensions are. */
export function dimensionList(scales: readonly number[], heap: GlobalHeap): Message {
  const elements = scales.map((address) => heap.add(new ByteWriter().uint64(address).written(), 1));
  return attributeMessage('DIMENSION_LIST', listType(referenceType()), [scales.length], joined(elements));
}

/** Where the arrays are that use a scale. */
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
