/** Thrown by a read that does not wait, where bytes are elsewhere: on a server. */
export class BytesElsewhere extends Error {
  /** Brings the bytes, so that the read can be repeated. */
  readonly bring: () => Promise<void>;

  constructor(bring: () => Promise<void>) {
    super('bytes are elsewhere');
    this.bring = bring;
  }
}

/** Does `work`, and does it again whenever it needs bytes that are elsewhere, once these are there. */
export async function onceThere<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BytesElsewhere)) throw error;
      await error.bring();
    }
  }
}
