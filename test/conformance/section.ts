/** A section of the specification, or of the decisions where it is silent. */
export interface Section {
  readonly heading: string;
  /** As they are written; a row of a table as a sentence. */
  readonly sentences: readonly string[];
  /** Sentences that say nothing that could fail. */
  readonly untested?: readonly { readonly sentence: string; readonly why: string }[];
}
