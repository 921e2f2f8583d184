import type { AttributeValue } from '../array/array-file.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import type { Hdf5Dataset } from './list-datasets.js';

const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable';
/** The prefix of a variable that has the name of a dimension, but is not its coordinate. */
const NO_COORDINATE = '_nc4_non_coord_';

/** Whether the NetCDF library wrote the dataset. */
export function isOfNetcdf(dataset: Hdf5Dataset): boolean {
  return dataset.attributes.has('_Netcdf4Dimid') || isDimensionOnly(dataset);
}

/** Whether the dataset is a dimension: by convention it may also contain the coordinates along it. */
function isDimension({ attributes }: Hdf5Dataset): boolean {
  return attributes.get('CLASS') === 'DIMENSION_SCALE';
}

/** Whether the dataset only represents a dimension, and has no values. */
export function isDimensionOnly(dataset: Hdf5Dataset): boolean {
  return isDimension(dataset) && String(dataset.attributes.get('NAME')).startsWith(NO_VARIABLE);
}

/** The name of a dataset, with the path of its group: `group/name`. */
export function nameOf(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  return path.slice(1, at) + (name.startsWith(NO_COORDINATE) ? name.slice(NO_COORDINATE.length) : name);
}

/** A dimension of a dataset; a dataset that can grow along it may have fewer stored values than its length. */
export interface NamedDimension {
  readonly name: string;
  readonly length: number;
}

/**
 * Names the dimensions of each dataset by the dimension scales that are attached to it. Without scales, dimensions of
 * equal length count as the same, but not two of one dataset: `phony_dim_0` and so on, as the NetCDF library does.
 */
export function nameDimensions(
  file: Hdf5Handle,
  datasets: readonly Hdf5Dataset[],
): ReadonlyMap<Hdf5Dataset, readonly NamedDimension[]> {
  const names = dimensionNames(file, datasets);
  const longest = new Map<string, number>();
  for (const [{ metadata }, dimensions] of names) {
    for (const [d, name] of dimensions.entries()) {
      longest.set(name, Math.max(longest.get(name) ?? 0, metadata.shape?.[d] ?? 0));
    }
  }
  const lengthOf = ({ metadata: { shape, maxshape } }: Hdf5Dataset, name: string, d: number) => {
    const stored = shape?.[d] ?? 0;
    return (maxshape?.[d] ?? 0) > stored ? (longest.get(name) ?? stored) : stored;
  };
  return new Map(
    [...names].map(([dataset, dimensions]) => {
      return [dataset, dimensions.map((name, d) => ({ name, length: lengthOf(dataset, name, d) }))];
    }),
  );
}

function dimensionNames(file: Hdf5Handle, datasets: readonly Hdf5Dataset[]): Map<Hdf5Dataset, readonly string[]> {
  const pathOfId = new Map<AttributeValue, string>();
  for (const { path, attributes } of datasets.filter(isDimension)) {
    const id = attributes.get('_Netcdf4Dimid');
    if (id !== undefined) pathOfId.set(id, path);
  }
  const phony: number[] = [];

  function phonyName(length: number, taken: readonly string[]): string {
    const at = phony.findIndex((known, i) => known === length && !taken.includes(`phony_dim_${i}`));
    return `phony_dim_${at < 0 ? phony.push(length) - 1 : at}`;
  }

  function scaleOf(dataset: Hdf5Dataset, d: number): string | undefined {
    const { path, metadata, attributes } = dataset;
    const ids = [attributes.get('_Netcdf4Coordinates') ?? []].flat();
    const known = pathOfId.get(ids[d]);
    if (known !== undefined) return known;
    if (isDimension(dataset)) return metadata.shape?.length === 1 ? path : undefined;
    return file.query(path, (library, id) => library.get_attached_scales(id, path, d)[0]);
  }

  function names(dataset: Hdf5Dataset): readonly string[] {
    const found: string[] = [];
    for (const [d, length] of (dataset.metadata.shape ?? []).entries()) {
      const scale = scaleOf(dataset, d);
      found.push(scale === undefined ? phonyName(length, found) : nameOf(scale));
    }
    return found;
  }

  return new Map(datasets.map((dataset) => [dataset, names(dataset)]));
}
