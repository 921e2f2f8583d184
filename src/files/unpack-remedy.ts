import { pathWord, shellWord } from '../check/shell-word.js';

/** Programs that unpack a file, and the ends of the names that they need. */
const PROGRAMS: readonly (readonly [ends: RegExp, command: string])[] = [
  [/\.(tar|tgz|tbz2?|txz|tar\.\w+)$/i, 'tar -xf'],
  [/\.gz$/, 'gunzip -k'],
  [/\.bz2$/, 'bunzip2 -k'],
  [/\.xz$/, 'unxz -k'],
  [/\.zst$/, 'unzstd'],
  [/\.lz4$/, 'unlz4'],
  [/\.zip$/i, 'unzip'],
];

/**
 * What to use instead of a packed file that is not read, with the command that unpacks it where the name ends in a way
 * that one knows. Addresses have no command: it would need the file.
 */
export function unpackRemedy(source: string): string {
  const command = /^\w+:\/\//.test(source) ? undefined : PROGRAMS.find(([ends]) => ends.test(source))?.[1];
  const what = 'what is in it, unpacked';
  return command === undefined ? what : `${what} first: ${command} ${shellWord(pathWord(source))}`;
}
