import { assertKind, assertKnownKeys } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import type { ByteSource } from '../byte-source.js';
import { DiskFile } from '../disk-file.node.js';
import { givenPath } from '../given-path.node.js';
import { CoreBuffer, withView } from './core-buffer.js';
import {
  type ArrowInCore,
  arrowInBuffer,
  type ReadArrowOptions,
  readArrowInto as readBytesInto,
} from './read-arrow-into.js';

/**
 * Reads an entire Arrow IPC file or stream from a path straight into the memory of `core`, without any copy;
 * bytes are read as `readArrowInto` of `plumecast/files` does. Messages begin with `source`, by default the path. Throws FileError, and as that function does.
 */
export async function readArrowInto(
  core: Core,
  given: string | URL | ByteSource,
  options: ReadArrowOptions = {},
): Promise<ArrowInCore> {
  const path = givenPath(given);
  if (path === undefined) return readBytesInto(core, given as ByteSource, options);
  assertCore(core);
  const { work, others } = beginWork(options, 'bytes');
  assertKnownKeys(others, ['source', ...WORK_KEYS]);
  const { source = path } = others;
  assertKind('source', source, 'any text');
  const file = await DiskFile.open(path, source, work);
  work.expect(file.size);
  try {
    const buffer = new CoreBuffer(core, file.size);
    buffer.extend(file.size);
    await withView(
      () => buffer.bytes(),
      (target) => readAll(file, target, work),
    ).catch((error) => {
      buffer.release();
      work.check();
      throw error;
    });
    return await arrowInBuffer(core, buffer, source);
  } finally {
    await file.close();
  }
}

/** Bytes that are read before an abort is looked for. */
const PART_BYTES = 1 << 26;

async function readAll(file: DiskFile, into: Uint8Array, work: Work): Promise<void> {
  for (let at = 0; at < into.length; at += PART_BYTES) {
    await file.read(at, into.subarray(at, at + PART_BYTES));
    work.check();
  }
}
