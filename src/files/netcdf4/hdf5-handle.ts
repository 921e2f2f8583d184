import { CoreError, FileError, FormatError, isPlumecastError } from '../../errors.js';
import type { ReadyAccess } from '../array/random-access.js';
import { REFERENCES, refersElsewhere } from './other-files.js';

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
function countFile(library: Hdf5Library): number {
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
function freeLeaked(library: Hdf5Library, hasLeaked: boolean): void {
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
  // Its pages have whole words.
  const words = new Int32Array(memory.buffer, memory.byteOffset, memory.length / 4);
  let count = words.length;
  while (count > 0 && words[count - 1] === 0) count--;
  return memory.slice(0, 4 * count);
}

const STDERR = 2;
const PAGE_BYTES = 65_536;
/** The library's memory never shrinks. It may grow to this, or beyond for large chunks or large lent buffers. */
const USUAL_BYTES = 268_435_456;
/** The number of copies of a chunk that decoding may need; buffers grow by doubling. */
const COPIES = 8;
/** The library misreads greater numbers. */
const MAX_LENT_BYTES = 2 ** 31;

/** A file of the HDF5 library, which opens it when it is needed. */
export class Hdf5Handle {
  readonly library: Hdf5Library;
  readonly source: string;
  readonly #access: ReadyAccess;
  /** The file as the library sees it, once it is needed. */
  #file: LibraryFile | undefined;
  #isClosed = false;
  /** The number of lent bytes. */
  #lent = 0;
  #id: bigint | undefined;
  #isPrepared = false;
  /** What the library has written to standard error in its last call. */
  #complaint = '';

  constructor(library: Hdf5Library, access: ReadyAccess) {
    this.library = library;
    this.source = access.source;
    this.#access = access;
  }

  /** Throws FormatError if the library cannot open the file. */
  open(): void {
    this.#openedId();
  }

  /** The library's number of the file. */
  #openedId(): bigint {
    this.assertOpen();
    if (this.#id !== undefined) return this.#id;
    const { library } = this;
    const file = new LibraryFile(library, this.#access);
    this.#file = file;
    try {
      const id = this.#call(this.source, () => library.open(LibraryFile.path, library.H5F_ACC_RDONLY, false, -1, -1));
      this.#id = id;
      return id;
    } catch (error) {
      file.close();
      freeLeaked(library, true);
      throw error;
    }
  }

  /**
   * Queries the library about the file. The query decodes one chunk at a time, of `chunkBytes` bytes, which limits its
   * memory. Throws FormatError if it fails, also if that memory is not enough; and FileError if the file is not open.
   */
  query<T>(subject: string, question: (library: Hdf5Library, id: bigint) => T, chunkBytes = 0): T {
    const id = this.#openedId();
    return this.#call(subject, () => question(this.library, id), chunkBytes);
  }

  /** Throws FileError if it is closed. */
  assertOpen(): void {
    if (this.#isClosed) throw new FileError({ subject: this.source, problem: 'is closed', allowed: 'an open file' });
  }

  /** Lends `use` a buffer in the library's memory. Throws CoreError if there is not enough memory. */
  lend<T>(bytes: number, use: (at: number) => T): T {
    // Where the library cannot open a file, all that it has lent is lost.
    this.#openedId();
    const at = bytes < MAX_LENT_BYTES ? this.library._malloc(bytes) : 0;
    if (at === 0)
      throw new CoreError({ subject: this.source, problem: `needs ${bytes} bytes of memory more than are available` });
    this.#lent += bytes;
    try {
      return use(at);
    } finally {
      this.#lent -= bytes;
      this.library._free(at);
    }
  }

  close(): void {
    const id = this.#id;
    this.#isClosed = true;
    if (id === undefined) return;
    this.#id = undefined;
    let hasFailed = true;
    try {
      this.#call(this.source, () => this.library.close_file(id));
      hasFailed = false;
    } finally {
      const wasOpen = this.#file?.close();
      freeLeaked(this.library, hasFailed || wasOpen === true);
    }
  }

  /**
   * Calls the library, which reports failure by a negative status, by throwing, or by writing to standard error; where
   * it does not find another file it may report nothing, and give fill values.
   */
  #call<T>(subject: string, call: () => T, chunkBytes = 0): T {
    return this.#isPrepared
      ? this.#checked(subject, call)
      : this.#prepared(() => this.#checked(subject, call), chunkBytes);
  }

  /** Does `work`, which queries the library many times, with what a query needs prepared once for all of them. */
  together<T>(work: () => T): T {
    return this.#prepared(work);
  }

  /** Hides other files from the library, limits its memory and collects its complaints while `work` is done. */
  #prepared<T>(work: () => T, chunkBytes = 0): T {
    const { FS } = this.library;
    const { streams } = FS as unknown as { readonly streams: readonly unknown[] };
    const write = FS.write;
    FS.write = (stream, buffer, offset, length, ...rest) => {
      if (stream !== streams[STDERR]) return write.call(FS, stream, buffer, offset, length, ...rest);
      const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
      this.#complaint += new TextDecoder().decode(bytes.slice());
      return length;
    };
    const showOthers = this.#file?.hideOthers();
    const release = limitMemory(() => USUAL_BYTES + this.#lent + COPIES * chunkBytes);
    this.#isPrepared = true;
    try {
      return work();
    } finally {
      this.#isPrepared = false;
      release();
      showOthers?.();
      FS.write = write;
    }
  }

  #checked<T>(subject: string, call: () => T): T {
    this.#complaint = '';
    this.#file?.forget();
    try {
      const result = call();
      this.#checkFile(subject);
      if ((typeof result === 'number' || typeof result === 'bigint') && result < 0) throw new Error(this.#complaint);
      return result;
    } catch (cause) {
      if (isPlumecastError(cause)) throw cause;
      this.#checkFile(subject, cause);
      const problem = `cannot be read: ${firstFault(this.#complaint) ?? String(cause)}`;
      throw new FormatError({ subject, problem, cause });
    }
  }

  /** Throws if the library could not read the file since its last call, or asked for another one. */
  #checkFile(subject: string, cause?: unknown): void {
    const { requested, fault } = this.#file as LibraryFile;
    if (fault !== undefined) throw fault;
    if (requested === undefined) return;
    const place = subject.startsWith(this.source) ? subject : `${this.source}, ${subject}`;
    throw refersElsewhere(place, REFERENCES.other, [requested], cause);
  }
}

/** The error at the bottom of the stack that HDF5 prints, which is the cause. */
function firstFault(complaint: string): string | undefined {
  return [...complaint.matchAll(/#\d+: .* in \w+\(\): (.*)/g)].at(-1)?.[1];
}

/**
 * Keeps the library's memory from growing beyond `most` bytes until the returned function is called: a chunk that becomes
 * longer than it should could otherwise use all memory. The library does not expose its memory, but all memories grow
 * through one function.
 */
function limitMemory(most: () => number): () => void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    const bytes = most();
    if (this.buffer.byteLength + pages * PAGE_BYTES > bytes) throw new RangeError(`more than ${bytes} bytes`);
    return grow.call(this, pages);
  };
  return () => {
    prototype.grow = grow;
  };
}

/** A file that is open in the library's file system. */
interface Stream {
  readonly fd: number;
}

type Call = (...args: never[]) => unknown;

/** The file system of the library, beyond what its types say. */
interface LibraryFiles {
  readonly streams: readonly (Stream | undefined)[];
  readonly ErrnoError: new (code: number) => Error;
  createStream(stream: object): Stream;
  close(stream: Stream): void;
  fstat(descriptor: number): object;
  [call: string]: unknown;
}

/** The name of the file for the library. Nothing has this name in its file system. */
const PATH = '/plumecast.h5';
/** A device number that no system uses. */
const OWN_DEVICE = 0x7ffffffe;
/** The mode of a regular file that can be read. */
const READABLE_FILE = 0o100444;
const BLOCK_BYTES = 512;
const NO_SUCH_FILE = 44;
const CANNOT_READ = 29;
/** The flag of a call that opens a directory, as the library does where it looks for plugins. */
const DIRECTORY = 65_536;
/** Everything in the library's file system that takes the path of a file, beside `open` and the calls of `stat`. */
const PATH_CALLS = [
  ...['lookupPath', 'lookupNode', 'readdir', 'readlink', 'statfs', 'mknod', 'mkdir', 'symlink', 'rename', 'rmdir'],
  ...['unlink', 'truncate', 'chmod', 'chown', 'utime', 'chdir'],
];

/**
 * A file as the HDF5 library sees it: the library reads the bytes of its `access`, and while it is called there is no
 * other file for it. HDF5 files can refer to others by their paths, and the library would open whatever the process may
 * read: values in external storage, external links, sources of virtual datasets.
 *
 * The library leaves objects of damaged files open, and with them the file. It would then use what it knows of that
 * file for the next file with the same device and inode, such as one that replaced it. So each opened file gets its own
 * device and inode number.
 */
class LibraryFile {
  static readonly path = PATH;
  readonly #files: LibraryFiles;
  readonly #access: ReadyAccess;
  readonly #state: object;
  readonly #calls: Record<string, Call>;
  #stream: Stream | undefined;
  #requested: string | undefined;
  #fault: unknown;

  constructor(library: Hdf5Library, access: ReadyAccess) {
    this.#files = library.FS as unknown as LibraryFiles;
    this.#access = access;
    const { size } = access;
    const never = new Date(0);
    this.#state = {
      ...{ dev: OWN_DEVICE, ino: countFile(library), mode: READABLE_FILE, nlink: 1, uid: 0, gid: 0, rdev: 0 },
      ...{ size, blocks: Math.ceil(size / BLOCK_BYTES), atime: never, mtime: never, ctime: never },
    };
    const stat = (path: string) => (path === PATH ? this.#state : this.#noSuchFile());
    this.#calls = {
      ...Object.fromEntries(PATH_CALLS.map((name) => [name, () => this.#noSuchFile()])),
      ...{ open: (path: string, flags: number) => this.#open(path, flags), stat, lstat: stat },
    };
  }

  /** Hides all other files from the library until the returned function is called. */
  hideOthers(): () => void {
    const files = this.#files;
    const calls = Object.fromEntries(Object.keys(this.#calls).map((name) => [name, files[name]]));
    const { fstat } = files;
    const own = (descriptor: number) =>
      files.streams[descriptor] === this.#stream ? this.#state : fstat.call(files, descriptor);
    Object.assign(files, this.#calls, { fstat: own });
    return () => {
      Object.assign(files, calls, { fstat });
    };
  }

  /** Forgets what went wrong in the call before. */
  forget(): void {
    this.#requested = undefined;
    this.#fault = undefined;
  }

  /** The name of another file that the library wanted to open since the last `forget`. */
  get requested(): string | undefined {
    return this.#requested;
  }

  /** Why the file could not be read since the last `forget`. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Closes the file where the library left it open, and says whether it did. */
  close(): boolean {
    const stream = this.#stream;
    if (stream === undefined || this.#files.streams[stream.fd] !== stream) return false;
    this.#files.close(stream);
    return true;
  }

  #open(path: string, flags: number): Stream {
    if (path !== PATH || this.#stream !== undefined) {
      if ((flags & DIRECTORY) === 0) this.#requested ??= path;
      return this.#noSuchFile();
    }
    this.#stream = this.#files.createStream({
      ...{ path, flags: 0, position: 0, seekable: true, ungotten: [], node: { mode: READABLE_FILE } },
      stream_ops: { read: (_: Stream, ...rest: [Int8Array, number, number, number]) => this.#read(...rest) },
    });
    return this.#stream;
  }

  #read({ buffer, byteOffset }: Int8Array, offset: number, length: number, position: number): number {
    try {
      return this.#access.readNow(position, new Uint8Array(buffer, byteOffset + offset, length));
    } catch (cause) {
      this.#fault = cause;
      throw new this.#files.ErrnoError(CANNOT_READ);
    }
  }

  #noSuchFile(): never {
    throw new this.#files.ErrnoError(NO_SUCH_FILE);
  }
}
