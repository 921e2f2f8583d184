import type { ReadyAccess } from '../array/random-access.js';
import { countFile, type Hdf5Library } from './library-memory.js';

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
export class LibraryFile {
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
    this.#requested = undefined;
    this.#fault = undefined;
    const calls = Object.fromEntries(Object.keys(this.#calls).map((name) => [name, files[name]]));
    const { fstat } = files;
    const own = (descriptor: number) =>
      files.streams[descriptor] === this.#stream ? this.#state : fstat.call(files, descriptor);
    Object.assign(files, this.#calls, { fstat: own });
    return () => {
      Object.assign(files, calls, { fstat });
    };
  }

  /** The name of another file that the library wanted to open since the last `hideOthers`. */
  get requested(): string | undefined {
    return this.#requested;
  }

  /** Why the file could not be read since the last `hideOthers`. */
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
