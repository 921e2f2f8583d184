import type { ReadTableOptions } from '../../files/read-table.js';

/** A message about an input that is not an error. */
export interface Notice {
  /** A note says what was done, a warning what may be wrong. */
  readonly kind: 'note' | 'warning';
  readonly source: string;
  readonly text: string;
}

export type Report = (notice: Notice) => void;

/** Reports what was done to the values of a source, and which columns were left out, if anything was. */
export function reportConversions(report: Report, source: string, conversions: readonly string[]): void {
  if (conversions.length > 0) report({ kind: 'note', source, text: conversions.join('; ') });
}

/**
 * The options to read a table; each decision about its format is reported once, even if the file is read several times.
 */
export function readingOptions(
  report: Report,
  source: string,
  { decimal }: Pick<ReadTableOptions, 'decimal'>,
): ReadTableOptions & { source: string } {
  const reported = new Set<string>();
  const reportOnce = (text: string) => {
    if (!reported.has(text)) report({ kind: 'note', source, text });
    reported.add(text);
  };
  return { source, report: reportOnce, ...(decimal !== undefined && { decimal }) };
}
