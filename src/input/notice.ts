/** A message about an input that is not an error. */
export interface Notice {
  /** A note says what was done, a warning what may be wrong. */
  readonly kind: 'note' | 'warning';
  readonly source: string;
  readonly text: string;
}

export type Report = (notice: Notice) => void;

/** A report that passes each notice on once, even if the input is read several times. */
export function reportOnce(report: Report): Report {
  const reported = new Set<string>();
  return (notice) => {
    const key = JSON.stringify([notice.kind, notice.source, notice.text]);
    if (!reported.has(key)) report(notice);
    reported.add(key);
  };
}

/** Reports what was done to the values of a source, and which columns were left out, if anything was. */
export function reportNotes(report: Report, source: string, notes: readonly string[]): void {
  if (notes.length > 0) report({ kind: 'note', source, text: notes.join('; ') });
}
