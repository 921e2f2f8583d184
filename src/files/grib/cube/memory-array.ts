import type { ArrayValues, AttributeValue, Box, StoredArray } from '../../array/array-file.js';
import { checkedBytes, notText } from '../../array/box.js';
import { copyBox, rowStrides } from '../../array/copy-box.js';

/** What an array is, besides its values. */
type ArrayHead = Pick<StoredArray, 'name' | 'dimensions' | 'shape' | 'projection'> & {
  readonly attributes: Readonly<Record<string, AttributeValue>>;
};

/** An array of numbers that are computed when they are first read, as coordinates are. */
export function numberArray(head: ArrayHead, type: 'int32' | 'float64', values: () => ArrayValues): StoredArray {
  let known: ArrayValues | undefined;
  const array = { ...head, type, attributes: new Map(Object.entries(head.attributes)) };
  return {
    ...array,
    async read(box: Box, into: ArrayValues) {
      checkedBytes(array, box, into);
      known ??= values();
      const from = { values: known, start: array.shape.map(() => 0), strides: rowStrides(array.shape) };
      copyBox(from, { values: into, start: box.start, strides: rowStrides(box.count) }, box);
      return [];
    },
    readTexts: async () => Promise.reject(notText(array.name)),
  };
}

/** An array of texts. */
export function textArray(head: ArrayHead, texts: readonly string[]): StoredArray {
  const array = { ...head, type: 'text' as const, attributes: new Map(Object.entries(head.attributes)) };
  return {
    ...array,
    async read(box: Box, into: ArrayValues) {
      checkedBytes(array, box, into);
      return [];
    },
    readTexts: async () => texts,
  };
}
