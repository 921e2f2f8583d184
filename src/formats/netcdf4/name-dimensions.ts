import type { Hdf5Handle } from './hdf5-handle.js';
import type { Hdf5Dataset } from './list-datasets.js';

const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable';
/** Stands before the name of a variable that has the name of a dimension and is not its coordinate. */
const NO_COORDINATE = '_nc4_non_coord_';

/** Whether the dataset is a dimension: by convention it may hold the coordinates along it too. */
export function isDimension({ attributes }: Hdf5Dataset): boolean {
  return attributes.get('CLASS') === 'DIMENSION_SCALE';
}

/** Whether the dataset stands for a dimension alone, and has no values. */
export function isDimensionOnly(dataset: Hdf5Dataset): boolean {
  return isDimension(dataset) && String(dataset.attributes.get('NAME')).startsWith(NO_VARIABLE);
}

/** The name of a dataset, with the path of its group: `group/name`. */
export function nameOf(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  return path.slice(1, at) + (name.startsWith(NO_COORDINATE) ? name.slice(NO_COORDINATE.length) : name);
}

/**
 * Names the dimensions of each dataset by the dimension scales that are attached to it. Where there are none, dimensions of equal length
 * are taken for the same, but not two of one dataset: `phony_dim_0` and so on, as the NetCDF library does.
 */
export function nameDimensions(
  file: Hdf5Handle,
  datasets: readonly Hdf5Dataset[],
): Map<Hdf5Dataset, readonly string[]> {
  const pathOfId = new Map(
    datasets.filter(isDimension).map(({ path, attributes }) => [attributes.get('_Netcdf4Dimid'), path]),
  );
  const phony: number[] = [];

  function phonyName(length: number, taken: readonly string[]): string {
    const at = phony.findIndex((known, i) => known === length && !taken.includes(`phony_dim_${i}`));
    return `phony_dim_${at < 0 ? phony.push(length) - 1 : at}`;
  }

  function names(dataset: Hdf5Dataset): readonly string[] {
    const { path, metadata, attributes } = dataset;
    const shape = metadata.shape ?? [];
    const ids = [attributes.get('_Netcdf4Coordinates') ?? []].flat();
    const found: string[] = [];
    for (const [d, length] of shape.entries()) {
      let scale: string | undefined;
      if (!isDimension(dataset)) scale = file.ask(path, (library, id) => library.get_attached_scales(id, path, d)[0]);
      else if (shape.length === 1) scale = path;
      scale ??= pathOfId.get(ids[d] as number);
      found.push(scale === undefined ? phonyName(length, found) : nameOf(scale));
    }
    return found;
  }

  return new Map(datasets.map((dataset) => [dataset, names(dataset)]));
}
