import { OptionError, unusable } from '../../errors.js';
import type { Attributes, AttributeValue } from '../array/array-file.js';
import type { NetcdfArray } from '../netcdf4/netcdf-content.js';
import type { MetadataDocument } from './metadata-document.js';

/** The compressions of chunks; the first one is the default. */
export const ZARR_COMPRESSIONS = ['zstd', 'none'] as const;

export type ZarrCompression = (typeof ZARR_COMPRESSIONS)[number];

/** The level of `loadEncoder`. */
const ZSTD = { name: 'zstd', configuration: { level: 3, checksum: false } };

/**
 * Creates the document `zarr.json` of an array (Zarr v3 core, zarr-specs.readthedocs.io): values in the order of
 * memory, the lowest byte first. Throws OptionError for attributes that JSON cannot store.
 */
export function arrayDocument(
  array: NetcdfArray,
  shape: readonly number[],
  chunk: readonly number[],
  compression: ZarrCompression,
): MetadataDocument {
  const { type, dimensions, fillValue } = array;
  if (fillValue !== undefined && !/^float|text/.test(type) && !Number.isSafeInteger(fillValue))
    throw unusable(`Zarr ${array.name}, fillValue`, fillValue, `a value of ${type}`);
  const encoding = type === 'text' ? { name: 'vlen-utf8' } : { name: 'bytes', configuration: { endian: 'little' } };
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: type === 'text' ? 'string' : type,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: type === 'text' ? '' : asJson(fillValue ?? 0),
    codecs: compression === 'none' ? [encoding] : [encoding, ZSTD],
    attributes: { ...attributesOf(array.attributes, array.name), ...fillAttribute(array) },
    dimension_names: dimensions,
    storage_transformers: [],
  };
}

/** Creates the document of the root, with the consolidated metadata of all arrays. */
export function groupDocument(attributes: Attributes, arrays: ReadonlyMap<string, MetadataDocument>): MetadataDocument {
  return {
    zarr_format: 3,
    node_type: 'group',
    attributes: attributesOf(attributes, 'attributes'),
    consolidated_metadata: { kind: 'inline', must_understand: false, metadata: Object.fromEntries(arrays) },
  };
}

function attributesOf(attributes: Attributes, of: string): Record<string, AttributeValue> {
  const values: Record<string, AttributeValue> = {};
  for (const [name, value] of attributes) {
    const all = [value].flat();
    if (!all.every((each) => typeof each === 'string' || Number.isFinite(each))) {
      const allowed = 'texts and finite numbers, or lists of them';
      throw new OptionError({ subject: `Zarr ${of}, ${name}`, problem: 'cannot be stored', received: value, allowed });
    }
    values[name] = value as AttributeValue;
  }
  return values;
}

/** The attribute `_FillValue` as xarray reads it: of floats the bytes of a float64 in base64, the lowest first. */
function fillAttribute({ type, fillValue }: NetcdfArray): Record<string, AttributeValue> {
  if (fillValue === undefined || type === 'text') return {};
  if (!type.startsWith('float')) return { _FillValue: fillValue };
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, fillValue, true);
  return { _FillValue: btoa(String.fromCharCode(...bytes)) };
}

/** JSON has no numbers that are not finite: their names stand for them. */
function asJson(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
