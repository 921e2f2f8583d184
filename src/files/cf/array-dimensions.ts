import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { listedNames } from './attribute-values.js';
import { type CoordinateKind, coordinateKind, kindOfName } from './coordinate-kind.js';

/** A dimension of an array. */
export interface ArrayDimension {
  /** Its place among the dimensions of the array. */
  readonly index: number;
  readonly name: string;
  readonly length: number;
  /** The array of the same name that has this dimension only. */
  readonly coordinate: StoredArray | undefined;
  /** The kind of its coordinate, or of its name where it has none. */
  readonly kind: CoordinateKind | undefined;
}

export function arrayDimensions(file: ArrayFile, array: StoredArray): ArrayDimension[] {
  return array.dimensions.map((name, index) => {
    const found = arrayNamed(file, array, name);
    const coordinate = found?.dimensions.length === 1 && found.dimensions[0] === name ? found : undefined;
    const kind = (coordinate === undefined ? undefined : coordinateKind(coordinate)) ?? kindOfName(name);
    return { index, name, length: array.shape[index], coordinate, kind };
  });
}

/** Finds the array that a name in an array's attributes or dimensions means: in the same group first. */
export function arrayNamed(file: ArrayFile, { name: path }: StoredArray, name: string): StoredArray | undefined {
  const group = path.slice(0, path.lastIndexOf('/') + 1);
  return file.arrays.get(group + name) ?? file.arrays.get(name);
}

/**
 * Finds the arrays of the given kind that are single values, or whose dimensions are all dimensions of `array`: first
 * those that its attribute `coordinates` names, then the coordinates of its dimensions, then others.
 */
export function findCoordinates(file: ArrayFile, array: StoredArray, kind: CoordinateKind): StoredArray[] {
  const named = listedNames(array.attributes, 'coordinates').map((name) => arrayNamed(file, array, name));
  const own = arrayDimensions(file, array).map(({ coordinate }) => coordinate);
  const others = [...file.arrays.values()];
  const candidates = new Set([...named, ...own, ...others]);
  return [...candidates].filter(
    (candidate): candidate is StoredArray =>
      candidate !== undefined &&
      candidate !== array &&
      (candidate.dimensions.every((dimension) => array.dimensions.includes(dimension)) || isSingle(candidate)) &&
      coordinateKind(candidate) === kind,
  );
}

/** Whether an array holds a single value. */
export function isSingle({ shape }: StoredArray): boolean {
  return shape.every((length) => length === 1);
}
