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
