import type { ArrayFile, Box, StoredArray } from '../../array/array-file.js';
import { toPlainArray } from '../coordinates.js';
import type { ArrayHead, AxisKind, FileContent, Labels } from './file-content.js';
import type { FileSet } from './file-set.js';

/** A set of files, and what joining knows of each. */
interface KnownFiles {
  readonly files: FileSet;
  readonly contents: readonly FileContent[];
}

/** The dimensions of other files that one states as single values, by name; and its arrays with all of them. */
interface Widening {
  readonly singles: ReadonlyMap<string, Labels>;
  readonly data: ReadonlyMap<string, ArrayHead>;
}

/** What a file may state by a single value where others have a dimension. */
const KINDS: readonly (AxisKind | undefined)[] = ['member', 'time'];

/**
 * The files of a set, each with the dimensions of the others: one that states the label of a dimension by a single value,
 * such as a control forecast beside its perturbed members, has a dimension of this label.
 */
export function withSingleDimensions({ files, contents }: KnownFiles): KnownFiles {
  const widest = new Map<string, { readonly head: ArrayHead; readonly axes: FileContent['axes'] }>();
  for (const { data, axes } of contents) {
    for (const [name, head] of data) {
      const known = widest.get(name);
      if (known === undefined || head.dimensions.length > known.head.dimensions.length)
        widest.set(name, { head, axes });
    }
  }
  const widenings = contents.map((content) => {
    const singles = new Map<string, Labels>();
    const data = new Map<string, ArrayHead>();
    for (const [name, own] of content.data) {
      const { head, axes } = widest.get(name) as { head: ArrayHead; axes: FileContent['axes'] };
      const missing = head.dimensions.filter((dimension) => !own.dimensions.includes(dimension));
      for (const dimension of missing) {
        const kind = axes.get(dimension)?.kind;
        const single = KINDS.includes(kind) ? content.single.get(kind as AxisKind) : undefined;
        if (single?.values === undefined) return undefined;
        singles.set(dimension, single);
      }
      if (own.dimensions.length + missing.length !== head.dimensions.length) return undefined;
      const shape = head.dimensions.map((dimension) => own.shape[own.dimensions.indexOf(dimension)] ?? 1);
      data.set(name, { ...own, dimensions: head.dimensions, shape });
    }
    return singles.size > 0 ? { singles, data } : undefined;
  });
  if (widenings.every((each) => each === undefined)) return { files, contents };
  return {
    contents: contents.map((content, i) => widenedContent(content, widenings[i])),
    files: {
      ...{ sources: files.sources, close: () => files.close() },
      use: (index, work) => {
        const widening = widenings[index];
        return files.use(index, (file) => work(widening === undefined ? file : widenedFile(file, widening)));
      },
    },
  };
}

function widenedContent(content: FileContent, widening: Widening | undefined): FileContent {
  if (widening === undefined) return content;
  const { singles, data } = widening;
  const axes = new Map(content.axes);
  const single = new Map(content.single);
  for (const [dimension, labels] of singles) {
    axes.set(dimension, { ...labels, name: dimension });
    single.delete(labels.kind as AxisKind);
  }
  return { ...content, data, axes, single };
}

function widenedFile(file: ArrayFile, { singles, data }: Widening): ArrayFile {
  const arrays = new Map<string, StoredArray>();
  const coordinates = new Map(Array.from(singles, ([dimension, { name }]) => [name, dimension]));
  for (const array of file.arrays.values()) {
    const head = data.get(array.name);
    const dimension = coordinates.get(array.name);
    const widened =
      dimension !== undefined
        ? widenedArray(array, { dimensions: [dimension], shape: [1] }, dimension)
        : head === undefined
          ? array
          : widenedArray(array, head);
    arrays.set(widened.name, widened);
  }
  return { ...file, arrays, close: () => file.close() };
}

/** An array with more dimensions, of one value each. */
function widenedArray(
  array: StoredArray,
  { dimensions, shape }: Pick<ArrayHead, 'dimensions' | 'shape'>,
  name = array.name,
): StoredArray {
  const own = array.dimensions.map((dimension) => dimensions.indexOf(dimension));
  const narrow = ({ start, count }: Box): Box => ({
    start: own.map((d) => start[d] ?? 0),
    count: own.map((d) => count[d] ?? 1),
  });
  const widen = (of: readonly number[], others: number) => dimensions.map((_, d) => of[own.indexOf(d)] ?? others);
  const { chunk } = array;
  return {
    ...{ ...toPlainArray(array), name, dimensions, shape },
    ...(chunk && { chunk: widen(chunk, 1) }),
    read: async (box, into) =>
      (await array.read(narrow(box), into)).map(({ start, count }) => ({
        start: widen(start, 0),
        count: widen(count, 1),
      })),
  };
}
