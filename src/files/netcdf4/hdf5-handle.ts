import { CoreError, FileError, FormatError, isPlumecastError } from '../../errors.js';
import { countFile, freeLeaked, type Hdf5Library } from './library-memory.js';

const STDERR = 2;
const PAGE_BYTES = 65_536;
/** The library's memory never shrinks. It may grow to this, or beyond for large chunks or large lent buffers. */
const USUAL_BYTES = 268_435_456;
/** The number of copies of a chunk that decoding may need; buffers grow by doubling. */
const COPIES = 8;
/** The library misreads greater numbers. */
const MAX_LENT_BYTES = 2 ** 31;

/** A file that is open in the library's file system. */
interface Stream {
  readonly fd: number;
}

/** The parts of the library's file system that its types leave out. */
interface StreamFiles {
  readonly streams: readonly (Stream | undefined)[];
  fstat(descriptor: number): object;
  close(stream: Stream): void;
}

/** A device number that no system uses. */
const OWN_DEVICE = 0x7ffffffe;

/**
 * A file of the HDF5 library.
 *
 * The library leaves objects of damaged files open, and with them the file. It would then use what it knows of that
 * file for the next file with the same device and inode, such as one that replaced it. So each opened file gets its own
 * device and inode number.
 */
export class Hdf5Handle {
  readonly library: Hdf5Library;
  readonly source: string;
  /** The number of lent bytes. */
  #lent = 0;
  #id: bigint | undefined;
  #stream: Stream | undefined;

  constructor(library: Hdf5Library, source: string) {
    this.library = library;
    this.source = source;
  }

  /** Throws FormatError if the library cannot open the file at `path`. */
  open(path: string): void {
    const { library } = this;
    const { FS } = library as unknown as { FS: StreamFiles };
    const { fstat } = FS;
    const inode = countFile(library);
    FS.fstat = (descriptor) => {
      this.#stream = FS.streams[descriptor];
      return Object.assign(fstat.call(FS, descriptor), { dev: OWN_DEVICE, ino: inode });
    };
    try {
      this.#id = this.#call(this.source, () => library.open(path, library.H5F_ACC_RDONLY, false, -1, -1));
    } catch (error) {
      this.#closeStream();
      freeLeaked(library, true);
      throw error;
    } finally {
      FS.fstat = fstat;
    }
  }

  /**
   * Queries the library about the file. The query decodes one chunk at a time, of `chunkBytes` bytes, which limits its
   * memory. Throws FormatError if it fails, also if that memory is not enough; and FileError if the file is not open.
   */
  query<T>(subject: string, question: (library: Hdf5Library, id: bigint) => T, chunkBytes = 0): T {
    const id = this.assertOpen();
    return this.#call(subject, () => question(this.library, id), chunkBytes);
  }

  /** The library's number of the file. Throws FileError if it is not open. */
  assertOpen(): bigint {
    if (this.#id !== undefined) return this.#id;
    throw new FileError({ subject: this.source, problem: 'is closed', allowed: 'an open file' });
  }

  /** Lends `use` a buffer in the library's memory. Throws CoreError if there is not enough memory. */
  lend<T>(bytes: number, use: (at: number) => T): T {
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
    if (id === undefined) return;
    this.#id = undefined;
    let hasFailed = true;
    try {
      this.#call(this.source, () => this.library.close_file(id));
      hasFailed = false;
    } finally {
      const wasOpen = this.#closeStream();
      freeLeaked(this.library, hasFailed || wasOpen);
    }
  }

  /** Closes the file where the library left it open, and says whether it did. */
  #closeStream(): boolean {
    const { FS } = this.library as unknown as { FS: StreamFiles };
    const stream = this.#stream;
    if (stream === undefined || FS.streams[stream.fd] !== stream) return false;
    FS.close(stream);
    return true;
  }

  /** Calls the library, which reports failure by a negative status, by throwing, or by writing to standard error. */
  #call<T>(subject: string, call: () => T, chunkBytes = 0): T {
    const { FS } = this.library;
    const { streams } = FS as unknown as { readonly streams: readonly unknown[] };
    const write = FS.write;
    let complaint = '';
    FS.write = (stream, buffer, offset, length, ...rest) => {
      if (stream !== streams[STDERR]) return write.call(FS, stream, buffer, offset, length, ...rest);
      complaint += new TextDecoder().decode(new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice());
      return length;
    };
    const release = limitMemory(USUAL_BYTES + this.#lent + COPIES * chunkBytes);
    try {
      const result = call();
      if ((typeof result === 'number' || typeof result === 'bigint') && result < 0) throw new Error(complaint);
      return result;
    } catch (cause) {
      if (isPlumecastError(cause)) throw cause;
      throw new FormatError({ subject, problem: `cannot be read: ${firstFault(complaint) ?? String(cause)}`, cause });
    } finally {
      release();
      FS.write = write;
    }
  }
}

/** The error at the bottom of the stack that HDF5 prints, which is the cause. */
function firstFault(complaint: string): string | undefined {
  return [...complaint.matchAll(/#\d+: .* in \w+\(\): (.*)/g)].at(-1)?.[1];
}

/**
 * Keeps the library's memory from growing beyond `bytes` until the returned function is called: a chunk that becomes
 * longer than it should could otherwise use all memory. The library does not expose its memory, but all memories grow
 * through one function.
 */
function limitMemory(bytes: number): () => void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > bytes) throw new RangeError(`more than ${bytes} bytes`);
    return grow.call(this, pages);
  };
  return () => {
    prototype.grow = grow;
  };
}
