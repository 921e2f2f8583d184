/** A field as an index file lists it. */
export interface ListedField {
  /** Its parameter, level and kind of time and ensemble: the same text for all members and times. */
  readonly name: string;
  /** All that is said of the field: usually no two fields of a file have the same. */
  readonly text: string;
  /** The reference time, in seconds since 1970-01-01 UTC; undefined where it is not stated in a known form. */
  readonly reference: number | undefined;
}

/** A message as an index file lists it. */
export interface ListedMessage {
  readonly offset: number;
  /** Where it ends, if the index file states its length. */
  readonly end: number | undefined;
  readonly fields: readonly ListedField[];
}
