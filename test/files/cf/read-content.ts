import type { NetcdfArray, NetcdfContent } from '../../../src/files/netcdf4/netcdf-content.js';

/** All values of an array of a file's content, from all boxes. */
export async function valuesOf({ arrays, dimensions }: NetcdfContent, name: string): Promise<number[]> {
  const array = arrays.find((candidate) => candidate.name === name) as NetcdfArray;
  if (ArrayBuffer.isView(array.values)) return Array.from(array.values as Float64Array);
  const shape = array.dimensions.map((dimension) => dimensions.get(dimension) as number);
  const whole = new Array<number>(shape.reduce((a, b) => a * b)).fill(Number.POSITIVE_INFINITY);
  for await (const { start, count, values } of array.values as AsyncIterable<
    import('../../../src/files/netcdf4/netcdf-content.js').ValueBox
  >) {
    for (let i = 0; i < values.length; i++) {
      let [rest, at, stride] = [i, 0, 1];
      for (let d = shape.length - 1; d >= 0; d--) {
        at += (start[d] + (rest % count[d])) * stride;
        rest = Math.floor(rest / count[d]);
        stride *= shape[d];
      }
      whole[at] = Number(values[i]);
    }
  }
  return whole;
}
