import type { ArrayFile } from './array-file.js';

/** Which arrays of a file are needed, so that a reader may leave out others. */
export interface ArraySelection {
  /** The paths of the arrays that are needed, where a request names nothing else. */
  readonly arrays?: readonly string[];
  /** Whether an array with this short name, alone or followed by `_` and more, and CF standard name may be needed. */
  mayNeed(shortName: string, standardName: string | undefined): boolean;
  /** Whether a file has the arrays that are needed. */
  isIn(file: ArrayFile): boolean;
}
