/** Something to be told about an input that is no error. */
export interface Remark {
  /** A note says what was done; a warning, what may be wrong. */
  readonly kind: 'note' | 'warning';
  readonly source: string;
  readonly text: string;
}

export type Tell = (remark: Remark) => void;
