/** A file that the reader opens. */
export interface GivenFile {
  /** Its path where that is known, else its name: for messages and commands. */
  readonly path: string;
  readonly url?: string;
  readonly content: Blob;
}

/** The last part of a path or of an address. */
export function fileName(path: string): string {
  const [address] = path.split(/[?#]/, 1);
  return address.replace(/\/+$/, '').split('/').pop() || path;
}
