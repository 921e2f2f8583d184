/** Small Zarr stores of versions 2 and 3, written without a library. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MEMBERS = 3;
const DAYS = 21;
const RAIN = Float32Array.from({ length: MEMBERS * DAYS * 4 }, (_, i) => (i * 7) % 19);
const ARRAYS = {
  number: { values: Float64Array.of(0, 1, 2), dimensions: ['number'], attributes: { standard_name: 'realization' } },
  time: {
    ...{ values: Float64Array.from({ length: DAYS }, (_, day) => day), dimensions: ['time'] },
    attributes: { units: 'days since 2026-03-02', standard_name: 'time' },
  },
  latitude: { values: Float64Array.of(37.5, 37), dimensions: ['latitude'], attributes: { units: 'degrees_north' } },
  longitude: { values: Float64Array.of(280, 280.5), dimensions: ['longitude'], attributes: { units: 'degrees_east' } },
  precip: {
    ...{ values: RAIN, dimensions: ['number', 'time', 'latitude', 'longitude'] },
    attributes: { units: 'mm', standard_name: 'precipitation_amount' },
  },
};
const LENGTHS = { number: MEMBERS, time: DAYS, latitude: 2, longitude: 2 };

/**
 * Writes stores of both versions, plain, and in gzip with consolidated metadata; and some that lack a chunk or have one
 * that is cut.
 */
export async function writeZarrStores(folder) {
  for (const name of ['v2', 'v2-gzip', 'v2-missing', 'v2-cut', 'v3', 'v3-gzip', 'v3-missing']) {
    const files = storeFiles(name.slice(0, 2), name.includes('gzip'));
    const chunk = name.startsWith('v2') ? 'precip/1.0.0.0' : 'precip/c/1/0/0/0';
    if (name.endsWith('missing')) files.delete(chunk);
    if (name.endsWith('cut')) files.set(chunk, files.get(chunk).subarray(0, 40));
    for (const [path, content] of files) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true });
      await writeFile(join(folder, name, path), content);
    }
  }
}

/** A chunk for each member of the rain; coordinates are one chunk. */
function storeFiles(version, isGzipped) {
  const files = new Map();
  const metadata = {};
  for (const [name, { values, dimensions, attributes }] of Object.entries(ARRAYS)) {
    const shape = dimensions.map((dimension) => LENGTHS[dimension]);
    const chunk = name === 'precip' ? [1, ...shape.slice(1)] : shape;
    const count = shape[0] / chunk[0];
    for (let c = 0; c < count; c++) {
      const part = values.subarray((c * values.length) / count, ((c + 1) * values.length) / count);
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      const key = [c, ...shape.slice(1).map(() => 0)];
      files.set(
        `${name}/${version === 'v2' ? key.join('.') : `c/${key.join('/')}`}`,
        isGzipped ? gzipSync(bytes) : bytes,
      );
    }
    const type = values instanceof Float32Array ? 'float32' : 'float64';
    metadata[name] = { shape, chunk, type, dimensions, attributes };
  }
  for (const [path, content] of version === 'v2'
    ? metadataFiles2(metadata, isGzipped)
    : metadataFiles3(metadata, isGzipped)) {
    files.set(path, Buffer.from(JSON.stringify(content)));
  }
  return files;
}

function metadataFiles2(metadata, isGzipped) {
  const files = new Map([['.zgroup', { zarr_format: 2 }]]);
  for (const [name, { shape, chunk, type, dimensions, attributes }] of Object.entries(metadata)) {
    files.set(`${name}/.zarray`, {
      ...{
        zarr_format: 2,
        shape,
        chunks: chunk,
        dtype: type === 'float32' ? '<f4' : '<f8',
        fill_value: 'NaN',
        order: 'C',
      },
      ...{ compressor: isGzipped ? { id: 'gzip', level: 6 } : null, filters: null },
    });
    files.set(`${name}/.zattrs`, { ...attributes, _ARRAY_DIMENSIONS: dimensions });
  }
  if (isGzipped) files.set('.zmetadata', { zarr_consolidated_format: 1, metadata: Object.fromEntries(files) });
  return files;
}

function metadataFiles3(metadata, isGzipped) {
  const files = new Map([['zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} }]]);
  const codecs = [{ name: 'bytes', configuration: { endian: 'little' } }];
  if (isGzipped) codecs.push({ name: 'gzip', configuration: { level: 6 } });
  for (const [name, { shape, chunk, type, dimensions, attributes }] of Object.entries(metadata)) {
    files.set(`${name}/zarr.json`, {
      ...{
        zarr_format: 3,
        node_type: 'array',
        shape,
        data_type: type,
        dimension_names: dimensions,
        attributes,
        codecs,
      },
      chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
      chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
      fill_value: 'NaN',
    });
  }
  if (isGzipped) {
    const arrays = [...files].filter(([path]) => path.includes('/'));
    const byPath = Object.fromEntries(arrays.map(([path, content]) => [path.replace('/zarr.json', ''), content]));
    files.get('zarr.json').consolidated_metadata = { kind: 'inline', must_understand: false, metadata: byPath };
  }
  return files;
}
