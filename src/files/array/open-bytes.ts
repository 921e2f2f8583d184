import { assertKind, assertKnownKeys } from '../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../check/work.js';
import type { ArrayFile } from './array-file.js';
import { bytesAccess, type ReadyAccess } from './random-access.js';

/** How the bytes of a file of arrays are opened; `signal` and `onProgress` are for all that is read of it. */
export interface OpenBytesOptions extends WorkOptions {
  /** The name of the file or source, with which messages begin: `input` by default. */
  readonly source?: string;
}

/** Opens the bytes of a file by the reader of its format. Throws OptionError, and what the reader throws. */
export async function openBytes(
  bytes: Uint8Array,
  options: OpenBytesOptions,
  open: (access: ReadyAccess) => Promise<ArrayFile>,
): Promise<ArrayFile> {
  assertKind('bytes', bytes, 'bytes');
  const { work, others } = beginWork(options, 'bytes', bytes.length);
  assertKnownKeys(others, ['source']);
  const { source = 'input' } = others;
  assertKind('source', source, 'any text');
  return work.run(() => open(bytesAccess(bytes, source, work)));
}
