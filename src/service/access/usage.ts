/** What a key has used on a day. */
export interface KeyUsage {
  /** All that were answered, whatever the answer. */
  readonly requests: number;
  /** What answers with data cost. */
  readonly cost: number;
  /** Of bodies, as sent. */
  readonly bytes: number;
  readonly lastUsed: Date;
}

/** A row of the usage of keys. */
export interface UsageRow extends KeyUsage {
  /** In UTC: `2026-11-29` */
  readonly day: string;
  readonly keyId: string;
}

/** Where the usage of keys is kept, by key and day. */
export interface UsageStore {
  /**
   * Adds what was used on a day since the last call; all of it or nothing. Resolves to the cost of each of these keys on that day, of all
   * servers that share the store.
   */
  add(day: string, used: ReadonlyMap<string, KeyUsage>): Promise<ReadonlyMap<string, number>>;
  /** The cost of a key on a day so far, of all servers. */
  costOf(day: string, keyId: string): Promise<number>;
  /** The usage of the days from `firstDay` to `lastDay`, by day and then by key. */
  read(firstDay: string, lastDay: string): Promise<readonly UsageRow[]>;
}

/** Two usages of a key together. */
export function joinUsage(a: KeyUsage | undefined, b: KeyUsage): KeyUsage {
  if (a === undefined) return b;
  return {
    requests: a.requests + b.requests,
    cost: a.cost + b.cost,
    bytes: a.bytes + b.bytes,
    lastUsed: a.lastUsed > b.lastUsed ? a.lastUsed : b.lastUsed,
  };
}

/** Rows in their order. */
export function sortRows(rows: UsageRow[]): UsageRow[] {
  const text = ({ day, keyId }: UsageRow) => `${day} ${keyId}`;
  return rows.sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

/** Usage of this process alone, which ends with it. */
export function memoryUsage(): UsageStore {
  const days = new Map<string, Map<string, KeyUsage>>();
  const costOf = (day: string, keyId: string) => days.get(day)?.get(keyId)?.cost ?? 0;
  return {
    async add(day, used) {
      const all = days.get(day) ?? new Map<string, KeyUsage>();
      days.set(day, all);
      for (const [keyId, usage] of used) all.set(keyId, joinUsage(all.get(keyId), usage));
      // Nobody asks this store for days that are over.
      for (const other of days.keys()) if (other < day && days.size > 2) days.delete(other);
      return new Map([...used.keys()].map((keyId) => [keyId, costOf(day, keyId)]));
    },
    async costOf(day, keyId) {
      return costOf(day, keyId);
    },
    async read(firstDay, lastDay) {
      const within = [...days].filter(([day]) => day >= firstDay && day <= lastDay);
      return sortRows(within.flatMap(([day, all]) => [...all].map(([keyId, usage]) => ({ day, keyId, ...usage }))));
    },
  };
}
