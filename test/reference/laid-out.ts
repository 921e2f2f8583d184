import type { Core } from '../../src/core/load.js';
import type { FloatArray } from '../../src/core/number-arrays.js';
import type { EnsembleArray } from '../../src/ensemble/ensemble-array.js';

/** The sizes of dimensions by name. */
export type Sizes = Readonly<Record<string, number>>;

/** The values of an array of `from` dimensions in the order `to`. */
export function transposed<Values extends FloatArray | Int32Array>(
  values: Values,
  from: readonly string[],
  to: readonly string[],
  sizes: Sizes,
): Values {
  const result = values.slice() as Values;
  for (let i = 0; i < values.length; i++) {
    const index: Record<string, number> = {};
    let rest = i;
    for (const name of from.toReversed()) {
      index[name] = rest % sizes[name];
      rest = Math.floor(rest / sizes[name]);
    }
    result[to.reduce((at, name) => at * sizes[name] + index[name], 0)] = values[i];
  }
  return result;
}

/** The same array with its dimensions in another order. */
export function inOrder<Values extends FloatArray>(array: EnsembleArray<Values>, dims: readonly string[]) {
  const sizes = Object.fromEntries(array.dims.map((name, k) => [name, array.shape[k]]));
  const data = transposed(array.data, array.dims, dims, sizes);
  return { ...array, data, dims, shape: dims.map((name) => sizes[name]) } satisfies EnsembleArray<Values>;
}

/** The same array with its values in the memory of a core. */
export function inMemory(core: Core, array: EnsembleArray): EnsembleArray {
  const { data } = array;
  const address = core.memory.allocate(data.byteLength);
  const view = core.memory[data instanceof Float32Array ? 'float32' : 'float64'](address, data.length);
  view.set(data);
  return { ...array, data: view };
}

/** All orders of some names. */
export function ordersOf(names: readonly string[]): string[][] {
  if (names.length === 0) return [[]];
  return names.flatMap((name) => ordersOf(names.filter((other) => other !== name)).map((rest) => [name, ...rest]));
}
