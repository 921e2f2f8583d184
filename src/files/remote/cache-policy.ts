/** What may be taken from the cache without a request. */
export interface CachePolicy {
  /** Whether the object never changes. */
  readonly isImmutable?: boolean | undefined;
  /** How long it may count as unchanged, in milliseconds: see `fetchCached`. */
  readonly freshMs?: number | undefined;
  /** Whether what is kept is not to be used: it may be what a server sent wrongly. */
  readonly isReload?: boolean | undefined;
  /** Whether the cache is left out: who asks keeps what comes. */
  readonly isPassedBy?: boolean | undefined;
  /** Called for each object that is there: it counts as unchanged, the server says that it is unchanged, or it came. */
  readonly onAnswer?: ((kind: 'fresh' | 'unchanged' | 'new') => void) | undefined;
}
