/** A strong entity tag of a text: 64 bits of it mixed, so that two texts of one URL practically never share one. */
export function entityTag(text: string): string {
  // Two rounds of 32 bits after MurmurHash3 (Austin Appleby): https://github.com/aappleby/smhasher
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0xcc9e2d51);
    b = Math.imul(b ^ unit, 0x1b873593);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  return `"${mixed(a ^ text.length).toString(36)}-${mixed(b ^ a).toString(36)}"`;
}

/** Whether an `If-None-Match` header names `tag`, by the weak comparison of RFC 9110: also as `W/` or in a list, or by `*`. */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}

function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
