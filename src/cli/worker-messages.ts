import type { RateQuota } from '../service/access/key-store.js';
import type { MetricsSnapshot } from '../service/handler/metrics.node.js';

/** How a server is stopped: SIGTERM after draining, SIGINT without. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** What a worker says to the process that started it: one of the fields. */
export interface WorkerMessage {
  /** It serves: the text to show. */
  readonly announcement?: string;
  /** It needs tokens of a key. */
  readonly lease?: LeaseRequest;
  /** Tokens that it has not used: keys and numbers. */
  readonly unused?: readonly (readonly [key: string, tokens: number])[];
  /** Its metrics: asked for, or the last ones. */
  readonly metrics?: MetricsSnapshot;
}

/** What a worker is told: one of the fields. */
export interface WorkerOrder {
  readonly stop?: StopSignal;
  readonly lease?: Lease;
  readonly metrics?: true;
}

/** A request for up to so many tokens. */
export interface LeaseRequest {
  readonly key: string;
  /** The limit of the key. */
  readonly quota: RateQuota;
  readonly tokens: number;
}

/** Tokens for a worker alone. */
export interface Lease extends LeaseRequest {
  /** What is left for others. */
  readonly left: number;
  /** Where there are none: how long to wait for one. */
  readonly waitSeconds: number;
}
