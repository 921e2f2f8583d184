import type { Remark } from '../input/remark.js';

/** Tells a remark about an input on standard error. */
export function tellRemark({ kind, source, text }: Remark): void {
  process.stderr.write(`${kind}: ${source}: ${text}\n`);
}
