import type { ArrayFile } from '../../array/array-file.js';

/** Files of arrays that are opened when they are used: more of them than a system keeps open. */
export interface FileSet {
  /** What messages call each file. */
  readonly sources: readonly string[];
  /** Opens a file, unless it is open, and does `work` with it. Throws what opening it and `work` throw. */
  use<T>(index: number, work: (file: ArrayFile) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Files that are open, and that closing the set closes. */
export function openedFiles(files: readonly ArrayFile[]): FileSet {
  return {
    sources: files.map(({ source }) => source),
    use: (index, work) => work(files[index]),
    close: async () => {
      for (const file of files) await file.close();
    },
  };
}

/** Some files of a set. Closing them closes all that are not in use, which are opened again where they are needed. */
export function someOf(all: FileSet, indices: readonly number[]): FileSet {
  return {
    sources: indices.map((i) => all.sources[i]),
    use: (index, work) => all.use(indices[index], work),
    close: () => all.close(),
  };
}
