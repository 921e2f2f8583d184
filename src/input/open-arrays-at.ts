import type { ArrayFile } from '../files/array/array-file.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import type { InputFile } from './input-of-files.js';
import { openInputArrays } from './open-input-arrays.js';
import { openRemoteInput } from './remote-input.js';

/** Opens the arrays of what is at an address; closing them closes it. Throws as `openRemoteInput` does, and FormatError. */
export async function openArraysAt(
  address: string,
  source?: string,
  selection?: ArraySelection | undefined,
): Promise<ArrayFile> {
  const isRepository = icechunkAddress(address) !== undefined;
  const found = isRepository
    ? { path: address, source: address, close: async () => {} }
    : await openRemoteInput(address);
  const input: InputFile = source === undefined ? found : { ...found, source };
  try {
    const file = await openInputArrays(input, selection);
    const { format, attributes, arrays, notices, notes, isArchive } = file;
    const about = { ...(notices && { notices }), ...(notes && { notes }), ...(isArchive && { isArchive }) };
    const close = () => file.close().finally(() => input.close());
    return { format, source: file.source, attributes, arrays, ...about, close };
  } catch (error) {
    await input.close();
    throw error;
  }
}
