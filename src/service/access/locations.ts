/** A location that the legacy endpoints can address by its id. */
export interface StoredLocation {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Whose it is; undefined where it is everybody's. */
  readonly owner?: string;
}

/** Where a service looks up stored locations. */
export interface LocationStore {
  /** The location of an id, if it is public or `owner`'s; undefined where it is unknown or another's. */
  find(id: string, owner: string): StoredLocation | undefined | Promise<StoredLocation | undefined>;
}
