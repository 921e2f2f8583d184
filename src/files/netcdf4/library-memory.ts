import type { Hdf5Library } from './hdf5-handle.js';

/** How a library is used, and its memory before the first file was opened, without the zeros that it ends with. */
interface Use {
  /** Files opened so far. */
  count: number;
  openFiles: number;
  hasLeaked: boolean;
  readonly initial: Uint8Array;
}

/** The library keeps it, as several copies of this module may use the one library of a process. */
const USE: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.hdf5-use') as never;

/**
 * Counts a file that is opened in the library, and returns a number that no other file of it has had. Call `fileClosed` once for it.
 *
 * The library leaves objects of damaged files open, some 400 kB a file, and offers no call that closes them: some hundred such files would
 * fill its memory, and good files would fail after them. So once no file is open, its memory becomes what it was before the first file.
 */
export function fileOpened(library: Hdf5Library): number {
  const used = library as { [USE]?: Use };
  used[USE] ??= { count: 0, openFiles: 0, hasLeaked: false, initial: withoutLastZeros(memoryOf(library)) };
  used[USE].openFiles++;
  return ++used[USE].count;
}

/** A file is no longer open in the library; `hasLeaked`: the library left objects of it open. */
export function fileClosed(library: Hdf5Library, hasLeaked: boolean): void {
  const use = (library as { [USE]?: Use })[USE] as Use;
  use.openFiles--;
  use.hasLeaked ||= hasLeaked;
  if (!use.hasLeaked || use.openFiles > 0) return;
  const memory = memoryOf(library);
  memory.set(use.initial);
  memory.fill(0, use.initial.length);
  use.hasLeaked = false;
}

/** The library's memory as it is now: growing it detaches views. */
function memoryOf(library: Hdf5Library): Uint8Array {
  return (library as unknown as { readonly HEAPU8: Uint8Array }).HEAPU8;
}

function withoutLastZeros(memory: Uint8Array): Uint8Array {
  let length = memory.length;
  while (length > 0 && memory[length - 1] === 0) length--;
  return memory.slice(0, length);
}
