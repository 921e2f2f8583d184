import { isArchiveAddress } from '../input/archive-address.js';
import { archiveOfName } from '../input/archive-name.js';
import type { Notice } from '../input/notice.js';
import { pinArchive, type WantedOfArchive } from '../input/pinned-archive.js';
import type { BatchInput } from './batch-input.js';

/** The address of the archive that an input names; undefined where it names none. Throws OptionError. */
export function archiveOfInput(given: string): string | undefined {
  return isArchiveAddress(given) ? given : archiveOfName(given);
}

/**
 * The input that an archive is: the run that was found, of which all outputs are, and which is in their names. Passes on
 * what people should know of it. Throws as `pinArchive` does.
 */
export async function archiveInput(
  address: string,
  wanted: WantedOfArchive,
  report: (notice: Notice) => void,
): Promise<BatchInput> {
  const pinned = await pinArchive(address, wanted);
  for (const text of pinned.notes) report({ kind: 'note', source: pinned.name, text });
  const name = [pinned.name.replace(':', '-'), pinned.run].filter((part) => part !== undefined).join('_');
  return { path: pinned.address, name, ending: 'none' };
}
