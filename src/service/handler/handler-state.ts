/** What a handler holds and does now, for metrics. */
export interface HandlerState {
  /** The size of the cache of responses. */
  readonly responseCacheBytes: number;
  /** The memory of the WebAssembly core; undefined before the first request, and where `answers` do not say it. */
  readonly coreBytes: number | undefined;
  /** Requests whose answers are computed, those that wait, and long responses that are sent. */
  readonly answering: number;
  readonly waiting: number;
  readonly sending: number;
  /** When the short-term run was issued, as ISO 8601; undefined where there is no forecast now. */
  readonly forecastInitTime: string | undefined;
}
