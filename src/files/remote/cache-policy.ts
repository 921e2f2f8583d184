/** What may be taken from the cache without a request. */
export interface CachePolicy {
  /** Whether the object never changes. */
  readonly isImmutable?: boolean | undefined;
  /** How long it may count as unchanged, in milliseconds: see `fetchCached`. */
  readonly freshMs?: number | undefined;
  /** Called for each object that is there: whether the server was not asked, as it counts as unchanged. */
  readonly onAnswer?: ((isFresh: boolean) => void) | undefined;
}
