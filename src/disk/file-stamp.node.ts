import { stat } from 'node:fs/promises';

/** Reads a text that changes when a file is written or replaced. Rejects with the error of the system. */
export async function readFileStamp(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}
