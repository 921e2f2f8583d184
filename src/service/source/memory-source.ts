import { assertKind } from '../../check/assert-shape.js';
import type { Snapshot, WeatherSource } from './source.js';

/** A source with data that the caller gives it. */
export interface MemorySource extends WeatherSource {
  snapshot(): Snapshot;
  /** New requests see `snapshot`; requests under way keep the snapshot that they began with. */
  replace(snapshot: Snapshot): void;
}

/** A source of datasets that the caller puts together, in memory or elsewhere. */
export function memorySource(initial: Snapshot): MemorySource {
  assertKind('snapshot', initial, 'object');
  let current = initial;
  return {
    snapshot: () => current,
    replace(snapshot) {
      assertKind('snapshot', snapshot, 'object');
      current = snapshot;
    },
  };
}
