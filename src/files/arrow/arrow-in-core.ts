import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { checkArrow, tableOf } from './arrow-read.js';
import { type CoreRoom, reserveScratch } from './core-room.js';
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

/** The table of the bytes in a room. Throws FormatError where they are no whole Arrow file or stream, and gives the room back then. */
export async function arrowInRoom(core: Core, room: CoreRoom, source: string): Promise<ArrowInCore> {
  let buffer: ArrayBufferLike;
  let table: Table;
  let isCopy: boolean;
  try {
    reserveScratch(core);
    ({ buffer } = room.bytes());
    const bytes = await checkArrow(room.bytes(), source);
    isCopy = bytes.buffer !== buffer;
    table = tableOf(bytes, source);
  } catch (error) {
    room.release();
    throw error;
  }
  return {
    get table() {
      const bytes = room.bytes();
      if (bytes.buffer !== buffer && !isCopy) table = tableFromIpc(bytes);
      buffer = bytes.buffer;
      return table;
    },
    release: () => room.release(),
  };
}
