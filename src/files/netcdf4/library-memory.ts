/** The HDF5 library, as h5wasm gives it. */
export type Hdf5Library = typeof import('h5wasm').Module;

/** How a library is used, and its memory while no file was open in it, without the zeros that it ends with. */
interface Use {
  /** Files opened so far. */
  count: number;
  hasLeaked: boolean;
  initial?: Uint8Array;
}

/** The library keeps it, as several copies of this module may use the one library of a process. */
const USE: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.hdf5-use') as never;

/** Standard input, output and error. */
const STANDARD_STREAMS = 3;

/** Counts a file before the library opens it, and returns a number that no other file of the library has had. */
export function countFile(library: Hdf5Library): number {
  const used = library as { [USE]?: Use };
  used[USE] ??= { count: 0, hasLeaked: false };
  if (used[USE].initial === undefined && !hasOpenFiles(library)) {
    used[USE].initial = withoutLastZeros(memoryOf(library));
  }
  return ++used[USE].count;
}

/**
 * To be called once a file is closed; `hasLeaked`: the library left objects of it open.
 *
 * The library leaves objects of damaged files open, some 400 kB a file, and offers no call that closes them: some
 * hundred such files would fill its memory, and good files would fail after them. So once no file is open, neither ours
 * nor one of others that use the library, its memory becomes what it was before.
 */
export function freeLeaked(library: Hdf5Library, hasLeaked: boolean): void {
  const use = (library as { [USE]?: Use })[USE] as Use;
  use.hasLeaked ||= hasLeaked;
  if (!use.hasLeaked || use.initial === undefined || hasOpenFiles(library)) return;
  const memory = memoryOf(library);
  memory.set(use.initial);
  memory.fill(0, use.initial.length);
  use.hasLeaked = false;
}

/** Whether files are open in the library, ours or others. */
function hasOpenFiles({ FS }: Hdf5Library): boolean {
  const { streams } = FS as unknown as { readonly streams: readonly unknown[] };
  return streams.some((stream, descriptor) => descriptor >= STANDARD_STREAMS && stream != null);
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
