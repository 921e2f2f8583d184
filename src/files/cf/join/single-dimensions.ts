import type { ArrayFile, Box, StoredArray } from '../../array/array-file.js';
import { toPlainArray } from '../coordinates.js';
import type { ArrayHead, AxisKind, FileContent, Labels } from './file-content.js';
import type { FileSet } from './file-set.js';

/** A set of files, and what joining knows of each. */
interface KnownFiles {
  readonly files: FileSet;
  readonly contents: readonly FileContent[];
}

/** What a file has when it has the dimensions of the others. */
interface Widening {
  /** The dimensions that it states as single values, by name. */
  readonly singles: ReadonlyMap<string, Labels>;
  /** Its arrays, with all dimensions. */
  readonly data: ReadonlyMap<string, ArrayHead>;
  /** Its single times that others have along a dimension, such as the valid time of a lead, by name. */
  readonly times: FileContent['times'];
}

/** What a file may state by a single value where others have a dimension. */
const KINDS: readonly (AxisKind | undefined)[] = ['member', 'time', 'lead'];

/**
 * The files of a set, each with the dimensions of the others: one that states the label of a dimension by a single value,
 * such as a control forecast beside its perturbed members, has a dimension of this label.
 */
export function withSingleDimensions({ files, contents }: KnownFiles): KnownFiles {
  const widest = new Map<string, { readonly head: ArrayHead; readonly axes: FileContent['axes'] }>();
  const timesOfOthers = new Map<string, string>();
  for (const { data, axes, times } of contents) {
    for (const [name, { dimension }] of times) timesOfOthers.set(name, dimension);
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
    const labels = content.single.get('time');
    const dimension = timesOfOthers.get(labels?.name ?? '');
    const isAlong = labels !== undefined && dimension !== undefined && singles.has(dimension);
    const times = new Map(isAlong ? [[labels.name, { dimension, labels }]] : []);
    return singles.size > 0 ? { singles, data, times } : undefined;
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
  const { singles, data, times } = widening;
  const axes = new Map(content.axes);
  const single = new Map(content.single);
  for (const [dimension, labels] of singles) {
    axes.set(dimension, { ...labels, name: dimension });
    single.delete(labels.kind as AxisKind);
  }
  if (times.size > 0) single.delete('time');
  return { ...content, data, axes, single, times: new Map([...content.times, ...times]) };
}

function widenedFile(file: ArrayFile, { singles, data, times }: Widening): ArrayFile {
  const along = (dimension: string) => ({ dimensions: [dimension], shape: [1] });
  const heads = new Map<string, Pick<StoredArray, 'name' | 'dimensions' | 'shape'>>();
  for (const [dimension, { name }] of singles) heads.set(name, { name: dimension, ...along(dimension) });
  for (const [name, { dimension }] of times) heads.set(name, { name, ...along(dimension) });
  for (const [name, { dimensions, shape }] of data) heads.set(name, { name, dimensions, shape });
  const arrays = new Map<string, StoredArray>();
  for (const array of file.arrays.values()) {
    const head = heads.get(array.name);
    arrays.set(head?.name ?? array.name, head === undefined ? array : widenedArray(array, head));
  }
  const { format, source, attributes, notices, notes, isArchive, runs } = file;
  const about = {
    ...(notices && { notices }),
    ...(notes && { notes }),
    ...(isArchive && { isArchive }),
    ...(runs && { runs }),
  };
  return { format, source, attributes, arrays, ...about, close: () => file.close() };
}

/** An array with more dimensions, of one value each. */
function widenedArray(
  array: StoredArray,
  { name, dimensions, shape }: Pick<StoredArray, 'name' | 'dimensions' | 'shape'>,
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
    get absentValue() {
      return array.absentValue;
    },
    ...(chunk && { chunk: widen(chunk, 1) }),
    read: async (box, into) =>
      (await array.read(narrow(box), into)).map(({ start, count }) => ({
        start: widen(start, 0),
        count: widen(count, 1),
      })),
  };
}
