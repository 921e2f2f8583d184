/** Examples of files in a message. */
const MAX_NAMED = 3;

/** Watches what is read of an array that several files have together: which of them have a value. */
export class FilesWithValues {
  /** Whether a value was read of each file of which anything was read. */
  readonly #hasValue = new Map<number, boolean>();

  /** Adds what was read of a file; `hasValue` is called until there was one. */
  add(file: number, hasValue: () => boolean): void {
    if (this.#hasValue.get(file) !== true) this.#hasValue.set(file, hasValue());
  }

  /** The files of which all that was read is missing, where others have values. */
  without(): readonly number[] {
    const read = [...this.#hasValue];
    return read.some(([, has]) => has) ? read.flatMap(([file, has]) => (has ? [] : [file])) : [];
  }
}

/** A message about files without values of an array or a column. */
export function describeFilesWithout(files: readonly string[], name: string): string {
  const named = files.slice(0, MAX_NAMED).join(', ');
  const more = files.length - MAX_NAMED;
  const have = files.length === 1 ? 'has' : 'have';
  return `${named}${more > 0 ? ` and ${more} more` : ''} ${have} no value of ${name}: all that were read are missing`;
}
