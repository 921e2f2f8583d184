import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { checkArrow, tableOf } from './arrow-read.js';
import { type CoreBuffer, reserveScratch } from './core-buffer.js';
import { tableFromIpc } from './table-from-ipc.js';

/** Arrow data in the core's memory, to be computed in place. */
export interface ArrowInCore {
  /**
   * The table whose columns lie there; compressed ones lie elsewhere, and all of a
   * file whose bodies are not where its messages say. Views on the memory are gone when it grows: ask for the table
   * anew before each use rather than keep it.
   */
  readonly table: Table;
  /** Gives the memory back, and all that was allocated after it. */
  release(): void;
}

/** The table of the bytes in a held. Throws FormatError where they are no complete Arrow file or stream, and releases the buffer then. */
export async function arrowInBuffer(core: Core, held: CoreBuffer, source: string): Promise<ArrowInCore> {
  let buffer: ArrayBufferLike;
  let table: Table;
  let isCopy: boolean;
  try {
    reserveScratch(core);
    ({ buffer } = held.bytes());
    const bytes = await checkArrow(held.bytes(), source);
    isCopy = bytes.buffer !== buffer;
    table = tableOf(bytes, source);
  } catch (error) {
    held.release();
    throw error;
  }
  return {
    get table() {
      const bytes = held.bytes();
      if (bytes.buffer !== buffer && !isCopy) table = tableFromIpc(bytes);
      buffer = bytes.buffer;
      return table;
    },
    release: () => held.release(),
  };
}
