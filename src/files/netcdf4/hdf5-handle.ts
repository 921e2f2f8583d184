import { CoreError, FileError, FormatError, isPlumecastError } from '../../errors.js';
import { fileClosed, fileOpened } from './library-memory.js';

/** The HDF5 library, as h5wasm gives it. */
export type Hdf5Library = typeof import('h5wasm').Module;

const STDERR = 2;
const PAGE_BYTES = 65_536;
/** The library's memory never shrinks. It may grow to this, or to more where chunks, or what is lent, are large. */
const USUAL_BYTES = 268_435_456;
/** While a chunk is decoded, there are some copies of it, of which buffers grow by doubling. */
const COPIES = 8;
/** The library takes greater numbers for others. */
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

/** The number of a device that no system gives. */
const OWN_DEVICE = 0x7ffffffe;
let filesOpened = 0;

/**
 * A file of the HDF5 library.
 *
 * The library leaves objects of damaged files open, and with them the file: what it knows of that would be taken for the next file with the
 * same device and inode, such as one written anew in its place. So each time a file is opened it is one of its own to the library.
 */
export class Hdf5Handle {
  readonly library: Hdf5Library;
  readonly source: string;
  /** Bytes that are lent. */
  #lent = 0;
  #id: bigint | undefined;
  #stream: Stream | undefined;

  constructor(library: Hdf5Library, source: string) {
    this.library = library;
    this.source = source;
  }

  /** Throws FormatError where the library cannot open the file at `path`. */
  open(path: string): void {
    const { library } = this;
    const { FS } = library as unknown as { FS: StreamFiles };
    const { fstat } = FS;
    const inode = ++filesOpened;
    FS.fstat = (descriptor) => {
      this.#stream = FS.streams[descriptor];
      return Object.assign(fstat.call(FS, descriptor), { dev: OWN_DEVICE, ino: inode });
    };
    fileOpened(library);
    try {
      this.#id = this.#call(this.source, () => library.open(path, library.H5F_ACC_RDONLY, false, -1, -1));
    } catch (error) {
      this.#closeStream();
      fileClosed(library, true);
      throw error;
    } finally {
      FS.fstat = fstat;
    }
  }

  /**
   * Asks the library about the file, of whose chunks the answer needs one at a time, of `chunkBytes` bytes. Throws FormatError where it fails,
   * also for want of memory, which is not more than that takes; and FileError where the file is not open.
   */
  ask<T>(subject: string, question: (library: Hdf5Library, id: bigint) => T, chunkBytes = 0): T {
    const id = this.assertOpen();
    return this.#call(subject, () => question(this.library, id), chunkBytes);
  }

  /** The library's number of the file. Throws FileError where it is not open. */
  assertOpen(): bigint {
    if (this.#id !== undefined) return this.#id;
    throw new FileError({ subject: this.source, problem: 'is closed', allowed: 'an open file' });
  }

  /** Lends `use` so many bytes of the library's memory. Throws CoreError where there are not as many. */
  lend<T>(bytes: number, use: (at: number) => T): T {
    const at = bytes < MAX_LENT_BYTES ? this.library._malloc(bytes) : 0;
    if (at === 0)
      throw new CoreError({ subject: this.source, problem: `needs ${bytes} bytes more memory than there are` });
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
      fileClosed(this.library, hasFailed || wasOpen);
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

  /** Calls the library, which says that it failed by a negative status, by throwing, or by writing to standard error. */
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

/** What went wrong at the bottom of the stack of errors that HDF5 prints, where the cause is. */
function firstFault(complaint: string): string | undefined {
  return [...complaint.matchAll(/#\d+: .* in \w+\(\): (.*)/g)].at(-1)?.[1];
}

/**
 * Keeps the library's memory from growing beyond so many bytes until the function that it gives is called: chunks that become more than
 * they should would take all that there is. The library does not give its memory away, but all memories grow by one function.
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
