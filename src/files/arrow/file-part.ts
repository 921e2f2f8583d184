/** Bytes of a file, and where they go in a part of it. */
export interface FileRead {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Arrow messages of a file, one after the other as in a stream: what is read at a time. */
export interface FilePart {
  /** Bytes that do not come from the file, which are the first. */
  readonly head?: Uint8Array;
  readonly bytes: number;
  readonly reads: readonly FileRead[];
}
