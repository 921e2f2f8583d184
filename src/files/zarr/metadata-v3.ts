import { FormatError } from '../../errors.js';
import type { ArrayMetadata, CodecMetadata } from './array-metadata.js';
import { asDocument, type MetadataDocument, readIntegers, readShape, wrongField } from './metadata-document.js';
import { namesOf } from './metadata-v2.js';
import { toAttributes, toFillValue, withDecodedFillValue, withTypeAttributes } from './read-attributes.js';
import { readTypeV3 } from './stored-type.js';

/** The known fields of an array; others must state that readers may ignore them. */
const FIELDS = new Set([
  'zarr_format',
  'node_type',
  'shape',
  'data_type',
  'chunk_grid',
  'chunk_key_encoding',
  'fill_value',
  'codecs',
  'attributes',
  'storage_transformers',
  'dimension_names',
  'consolidated_metadata',
]);

/**
 * Reads the document `zarr.json` of an array (Zarr v3 core, zarr-specs.readthedocs.io); undefined for an array whose
 * type is not read. Throws FormatError for errors in it, and for unknown extensions that readers must not ignore.
 */
export function readMetadataV3(path: string, array: MetadataDocument, subject: string): ArrayMetadata | undefined {
  const stored = readTypeV3(array.data_type);
  if (stored === undefined) return undefined;
  const shape = readShape(array, subject);
  assertNoExtensions(array, subject);
  const attributes = withDecodedFillValue(toAttributes(array.attributes, { source: subject, column: path }), stored);
  return {
    ...{ path, shape, stored },
    chunk: chunkOf(array, shape.length, subject),
    dimensions: namesOf(array.dimension_names, shape.length),
    attributes: withTypeAttributes(attributes, stored),
    fill: toFillValue(array.fill_value, stored),
    codecs: readCodecs(array, 'codecs', subject),
    chunkKey: keyEncoding(array.chunk_key_encoding, subject),
  };
}

/**
 * Reads a list of codecs: of an array, or within the configuration of another codec. Throws FormatError if it is
 * invalid.
 */
export function readCodecs(document: MetadataDocument, field: string, subject: string): CodecMetadata[] {
  const list = document[field];
  if (!Array.isArray(list) || list.length === 0) throw wrongField(subject, field, list, 'a list of codecs');
  return list.map((codec) => {
    const { name, configuration = {} } = typeof codec === 'string' ? { name: codec } : asDocument(codec, subject);
    if (typeof name !== 'string') throw wrongField(subject, field, list, 'codecs with names');
    return { name, configuration: asDocument(configuration, subject) };
  });
}

function chunkOf({ chunk_grid }: MetadataDocument, rank: number, subject: string): readonly number[] {
  const { name, configuration } = asDocument(chunk_grid, subject);
  if (name !== 'regular') throw wrongField(subject, 'chunk_grid', name, 'regular');
  const chunk = readIntegers(asDocument(configuration, subject), 'chunk_shape', 1, subject);
  if (chunk.length !== rank) throw wrongField(subject, 'chunk_shape', chunk, `${rank} lengths`);
  return chunk;
}

function keyEncoding(encoding: unknown, subject: string): ArrayMetadata['chunkKey'] {
  const { name, configuration = {} } =
    typeof encoding === 'string' ? { name: encoding } : asDocument(encoding, subject);
  const isDefault = name === 'default';
  if (!isDefault && name !== 'v2') throw wrongField(subject, 'chunk_key_encoding', name, 'default or v2');
  const separator = asDocument(configuration, subject).separator ?? (isDefault ? '/' : '.');
  if (separator !== '.' && separator !== '/') throw wrongField(subject, 'separator', separator, '. or /');
  if (isDefault) return (place) => ['c', ...place].join(separator);
  return (place) => (place.length === 0 ? '0' : place.join(separator));
}

function assertNoExtensions(array: MetadataDocument, subject: string): void {
  const { storage_transformers: transformers = [] } = array;
  if (!Array.isArray(transformers) || transformers.length > 0) {
    throw wrongField(subject, 'storage_transformers', transformers, 'none');
  }
  for (const [name, value] of Object.entries(array)) {
    if (FIELDS.has(name) || (value as { must_understand?: unknown } | null)?.must_understand === false) continue;
    throw new FormatError({
      subject,
      problem: 'has an extension that must be understood, but is unknown',
      received: name,
    });
  }
}
