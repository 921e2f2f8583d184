import { assertKind } from '../../check/assert-shape.js';
import type { Snapshot, WeatherSource } from './source.js';

/** A source whose data are given to it. */
export interface MemorySource extends WeatherSource {
  snapshot(): Snapshot;
  /** Requests that come from now on see `snapshot`; those under way keep the one that they began with. */
  replace(snapshot: Snapshot): void;
}

/** A source of data in memory, or of datasets from anywhere that the caller puts together. */
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
