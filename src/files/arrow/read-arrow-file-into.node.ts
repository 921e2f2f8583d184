import { assertKind, assertShape } from '../../check/assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { openFile, readExactly } from './arrow-file.node.js';
import { CoreBuffer } from './core-buffer.js';
import type { ReadArrowOptions } from './read-arrow-into.js';
import { type ArrowInCore, arrowInBuffer } from './read-arrow-into.js';

/**
 * Reads an entire Arrow IPC file or stream from a path straight into the memory of `core`, as `readArrowInto` does,
 * without any copy. Messages begin with `source`, by default the path. Throws FileError, and as `readArrowInto` does.
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
  const handle = await openFile(path, source);
  try {
    const { size } = await handle.stat();
    const buffer = new CoreBuffer(core, size);
    await readExactly(handle, buffer.extend(size), 0, source).catch((error) => {
      buffer.release();
      throw error;
    });
    return await arrowInBuffer(core, buffer, source);
  } finally {
    await handle.close();
  }
}
