import type { ArrayMetadata, CodecMetadata } from './array-metadata.js';
import { asDocument, type MetadataDocument, readIntegers, readShape, wrongField } from './metadata-document.js';
import { toAttributes, toFillValue, withFillValue, withTypeAttributes } from './read-attributes.js';
import { readTypeV2 } from './stored-type.js';

/** The attribute with the names of dimensions; it is not among the attributes of the array. */
const DIMENSIONS = '_ARRAY_DIMENSIONS';

/**
 * Reads the documents `.zarray` and `.zattrs` of Zarr v2 (zarr-specs.readthedocs.io, version 2); undefined for an array
 * whose type is not read. Throws FormatError for errors in them.
 */
export function readMetadataV2(
  path: string,
  array: MetadataDocument,
  attributes: MetadataDocument,
  subject: string,
): ArrayMetadata | undefined {
  const filters = filtersOf(array, subject);
  const stored = readTypeV2(
    array.dtype,
    filters.map(({ name }) => name),
  );
  if (stored === undefined) return undefined;
  const shape = readShape(array, subject);
  const chunk = readIntegers(array, 'chunks', 1, subject);
  if (chunk.length !== shape.length) throw wrongField(subject, 'chunks', chunk, `${shape.length} lengths`);
  const names = attributes[DIMENSIONS];
  const fill = toFillValue(array.fill_value, stored);
  const separator = array.dimension_separator ?? '.';
  if (separator !== '.' && separator !== '/') throw wrongField(subject, 'dimension_separator', separator, '. or /');
  const others = Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== DIMENSIONS));
  const own = withFillValue(toAttributes(others, { source: subject, column: path }), fill, stored);
  return {
    ...{ path, shape, chunk, stored, fill },
    dimensions: namesOf(names, shape.length),
    attributes: withTypeAttributes(own, stored),
    codecs: [...orderOf(array, subject), bytesOf(array.dtype), ...filters, ...compressorOf(array, subject)],
    chunkKey: (place) => (place.length === 0 ? '0' : place.join(separator)),
  };
}

/** The names of dimensions; undefined unless each has a name. */
export function namesOf(names: unknown, count: number): readonly string[] | undefined {
  const isNamed = Array.isArray(names) && names.length === count && names.every((name) => typeof name === 'string');
  return isNamed ? names : undefined;
}

function orderOf({ shape, order }: MetadataDocument, subject: string): CodecMetadata[] {
  if (order === 'C') return [];
  if (order !== 'F') throw wrongField(subject, 'order', order, 'C or F');
  const reversed = (shape as number[]).map((_, dimension) => dimension).reverse();
  return [{ name: 'transpose', configuration: { order: reversed } }];
}

function bytesOf(dtype: unknown): CodecMetadata {
  return { name: 'bytes', configuration: { endian: (dtype as string).startsWith('>') ? 'big' : 'little' } };
}

function filtersOf({ filters }: MetadataDocument, subject: string): CodecMetadata[] {
  if (filters === null || filters === undefined) return [];
  if (!Array.isArray(filters)) throw wrongField(subject, 'filters', filters, 'a list, or null');
  return filters.map((filter) => codecOf(filter, subject));
}

function compressorOf({ compressor }: MetadataDocument, subject: string): CodecMetadata[] {
  return compressor === null || compressor === undefined ? [] : [codecOf(compressor, subject)];
}

function codecOf(codec: unknown, subject: string): CodecMetadata {
  const { id, ...configuration } = asDocument(codec, subject);
  if (typeof id !== 'string') throw wrongField(subject, 'codec', codec, 'an object with an id');
  return { name: id, configuration };
}
