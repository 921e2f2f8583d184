import type { ArrayFile } from '../../../src/files/array/array-file.js';

/** The arrays of a file, a line for each: name, dimensions, units. */
export function arrayLines({ arrays }: ArrayFile): string[] {
  return [...arrays.values()].map(({ name, dimensions, shape, attributes }) => {
    const lengths = dimensions.map((dimension, d) => `${dimension} ${shape[d]}`).join(', ');
    return `${name} (${lengths}) ${attributes.get('units') ?? ''}`.trimEnd();
  });
}
