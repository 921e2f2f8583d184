import type { ReadTableOptions } from '../../files/read-table.js';

/** Something to be told about an input that is no error. */
export interface Remark {
  /** A note says what was done; a warning, what may be wrong. */
  readonly kind: 'note' | 'warning';
  readonly source: string;
  readonly text: string;
}

export type Tell = (remark: Remark) => void;

/** Tells what was done to the values of a source, and which columns were left out, where anything was. */
export function tellConversions(tell: Tell, source: string, conversions: readonly string[]): void {
  if (conversions.length > 0) tell({ kind: 'note', source, text: conversions.join('; ') });
}

/** How a table is read, where its file does not say; what is decided is told once, however often it is read. */
export function readingOptions(
  tell: Tell,
  source: string,
  { decimal }: Pick<ReadTableOptions, 'decimal'>,
): ReadTableOptions & { source: string } {
  const told = new Set<string>();
  const report = (text: string) => {
    if (!told.has(text)) tell({ kind: 'note', source, text });
    told.add(text);
  };
  return { source, report, ...(decimal !== undefined && { decimal }) };
}
