import { assertKind, assertShape } from '../../check/assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { DiskFile } from '../disk-file.node.js';
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
  const file = await DiskFile.open(path, source);
  try {
    const buffer = new CoreBuffer(core, file.size);
    await file.read(0, buffer.extend(file.size)).catch((error) => {
      buffer.release();
      throw error;
    });
    return await arrowInBuffer(core, buffer, source);
  } finally {
    await file.close();
  }
}
