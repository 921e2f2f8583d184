/** What an ingestion may delete from a store. */
export interface ReplaceOptions {
  /** Whether the store may lose what the new files do not have. Default false: an error that names it. */
  readonly replace?: boolean;
  /** Whether runs of a forecast may be older than the store's. Default false: an error. */
  readonly allowOlder?: boolean;
}
