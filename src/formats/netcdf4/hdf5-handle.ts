import { CoreError, FileError, FormatError, isPlumecastError } from '../../errors.js';

/** The HDF5 library, as h5wasm gives it. */
export type Hdf5Library = typeof import('h5wasm').Module;

const STDERR = 2;

/** A file of the HDF5 library. */
export class Hdf5Handle {
  readonly library: Hdf5Library;
  readonly source: string;
  #id: bigint | undefined;

  constructor(library: Hdf5Library, source: string) {
    this.library = library;
    this.source = source;
  }

  /** Throws FormatError where the library cannot open the file at `path`. */
  open(path: string): void {
    const { library } = this;
    this.#id = this.#call(this.source, () => library.open(path, library.H5F_ACC_RDONLY, false, -1, -1));
  }

  /** Asks the library about the file. Throws FormatError where it fails, and FileError where the file is not open. */
  ask<T>(subject: string, question: (library: Hdf5Library, id: bigint) => T): T {
    const id = this.#id;
    if (id === undefined) throw new FileError({ subject: this.source, problem: 'is closed', allowed: 'an open file' });
    return this.#call(subject, () => question(this.library, id));
  }

  /** Lends `use` so many bytes of the library's memory. Throws CoreError where there are not as many. */
  lend<T>(bytes: number, use: (at: number) => T): T {
    const at = this.library._malloc(bytes);
    if (at === 0)
      throw new CoreError({ subject: this.source, problem: `needs ${bytes} bytes more memory than there are` });
    try {
      return use(at);
    } finally {
      this.library._free(at);
    }
  }

  close(): void {
    const id = this.#id;
    if (id !== undefined) this.#call(this.source, () => this.library.close_file(id));
    this.#id = undefined;
  }

  /** Calls the library, which says that it failed by a negative status, by throwing, or by writing to standard error. */
  #call<T>(subject: string, call: () => T): T {
    const { FS } = this.library;
    const { streams } = FS as unknown as { readonly streams: readonly unknown[] };
    const write = FS.write;
    const decoder = new TextDecoder();
    let complaint = '';
    FS.write = (stream, buffer, offset, length, ...rest) => {
      if (stream !== streams[STDERR]) return write.call(FS, stream, buffer, offset, length, ...rest);
      complaint += decoder.decode(new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice());
      return length;
    };
    try {
      const result = call();
      if ((typeof result === 'number' || typeof result === 'bigint') && result < 0) throw new Error(complaint);
      return result;
    } catch (cause) {
      if (isPlumecastError(cause)) throw cause;
      throw new FormatError({ subject, problem: `cannot be read: ${firstFault(complaint) ?? String(cause)}`, cause });
    } finally {
      FS.write = write;
    }
  }
}

/** What went wrong at the bottom of the stack of errors that HDF5 prints, where the cause is. */
function firstFault(complaint: string): string | undefined {
  return [...complaint.matchAll(/#\d+: .* in \w+\(\): (.*)/g)].at(-1)?.[1];
}
