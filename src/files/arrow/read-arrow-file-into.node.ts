import { assertKind, assertShape } from '../../check/assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { openFile, readExactly } from './arrow-file.node.js';
import { type ArrowInCore, arrowInRoom } from './arrow-in-core.js';
import { CoreRoom } from './core-room.js';
import type { ReadArrowOptions } from './read-arrow-into.js';

/**
 * Reads a whole Arrow IPC file or stream from a path straight into the memory of `core`, as `readArrowInto` does, without any copy.
 * Messages begin with `source`, by default the path. Throws FileError, and as `readArrowInto` does.
 */
export async function readArrowFileInto(
  core: Core,
  path: string,
  options: ReadArrowOptions = {},
): Promise<ArrowInCore> {
  assertCore(core);
  assertKind('path', path, 'text');
  assertShape('options', options, { source: 'any text?' });
  const { source = path } = options;
  const handle = await openFile(path);
  try {
    const { size } = await handle.stat();
    const room = new CoreRoom(core, size);
    await readExactly(handle, room.extend(size), 0, source).catch((error) => {
      room.release();
      throw error;
    });
    return await arrowInRoom(core, room, source);
  } finally {
    await handle.close();
  }
}
