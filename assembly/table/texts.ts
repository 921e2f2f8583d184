// CSV, phase 2: a column of cells to codes of distinct texts.
//
//   dictionary  u32 number of texts, u32 mask of slots, usize slots, usize entries, usize pool, u32 bytes of the pool in use, u32 its size,
//               u32 the most texts; the caller writes them, and clears the slots
//   slots       i32 for each slot: a code + 1, or 0; at most half are used
//   entries     for each text: u32 its place in the pool, u32 its length, u32 its hash, i32 the code that followed it last
//   pool        the bytes of the texts, one after the other; 16 readable bytes follow
//   codes       out: i32 for each row; -1 for an empty cell
//
// Texts come in runs, and in the same order again and again: first the text before is compared, then the one that
// followed it last.

const QUOTE: u8 = 34;
const CR: u8 = 13;
const COUNT = 0, MASK = 4, SLOTS = 8, ENTRIES = 12, POOL = 16, POOL_USED = 20, POOL_SIZE = 24, MAX_TEXTS = 28;
const ENTRY_BYTES = 16;

@inline function isSame(a: usize, b: usize, length: i32): bool {
  for (; length >= 8; length -= 8, a += 8, b += 8) if (load<u64>(a) != load<u64>(b)) return false;
  if (length == 0) return true;
  const rest: u64 = (<u64>1 << (length << 3)) - 1;
  return ((load<u64>(a) ^ load<u64>(b)) & rest) == 0;
}

@inline function isEntry(entry: usize, pool: usize, from: usize, length: i32): bool {
  return load<i32>(entry, 4) == length && isSame(pool + load<u32>(entry), from, length);
}

function hashOf(from: usize, length: i32): u32 {
  let hash: u64 = 0x9e3779b97f4a7c15 ^ <u64>length;
  for (; length >= 8; length -= 8, from += 8) hash = mix(hash ^ load<u64>(from));
  if (length > 0) hash = mix(hash ^ (load<u64>(from) & ((<u64>1 << (length << 3)) - 1)));
  return <u32>(hash ^ (hash >> 32));
}

@inline function mix(x: u64): u64 {
  const y = x * 0xbf58476d1ce4e5b9;
  return y ^ (y >> 29);
}

/**
 * Codes a column from row `row` on. Returns the row that it stopped at: `rows`, or one whose text the dictionary has no
 * room for, or that has a quote inside quotes, which the caller reads.
 */
export function readTexts(
  text: usize, ends: usize, columns: i32, column: i32, row: i32, rows: i32, dictionary: usize, codes: usize,
): i32 {
  const pool = load<usize>(dictionary, POOL);
  const entries = load<usize>(dictionary, ENTRIES);
  const slots = load<usize>(dictionary, SLOTS);
  const mask = load<u32>(dictionary, MASK);
  let before: usize = 0;
  for (; row < rows; row++) {
    const cell = ends + (<usize>(row * columns + column) << 2);
    let from = row == 0 && column == 0 ? text : text + load<i32>(cell - 4) + 1;
    let to = text + load<i32>(cell);
    if (column == columns - 1 && from < to && load<u8>(to - 1) == CR) to--;
    if (from < to && load<u8>(from) == QUOTE) {
      from++;
      to--;
      for (let at = from; at < to; at++) if (load<u8>(at) == QUOTE || load<u8>(at) == CR) return row;
    }
    const length = <i32>(to - from);
    if (length == 0) {
      store<i32>(codes + (<usize>row << 2), -1);
      continue;
    }
    let entry: usize = 0;
    if (before != 0) {
      if (isEntry(before, pool, from, length)) entry = before;
      else {
        const next = entries + <usize>load<i32>(before, 12) * ENTRY_BYTES;
        if (isEntry(next, pool, from, length)) entry = next;
      }
    }
    if (entry == 0) {
      const hash = hashOf(from, length);
      let slot = hash & mask;
      let code = load<i32>(slots + (<usize>slot << 2));
      while (code != 0) {
        const known = entries + <usize>(code - 1) * ENTRY_BYTES;
        if (load<u32>(known, 8) == hash && isEntry(known, pool, from, length)) break;
        slot = (slot + 1) & mask;
        code = load<i32>(slots + (<usize>slot << 2));
      }
      if (code == 0) {
        const count = load<u32>(dictionary, COUNT);
        const used = load<u32>(dictionary, POOL_USED);
        if (count == load<u32>(dictionary, MAX_TEXTS) || <u64>used + length > <u64>load<u32>(dictionary, POOL_SIZE)) return row;
        memory.copy(pool + used, from, length);
        const added = entries + <usize>count * ENTRY_BYTES;
        store<u32>(added, used);
        store<i32>(added, length, 4);
        store<u32>(added, hash, 8);
        store<i32>(added, 0, 12);
        store<u32>(dictionary, used + length, POOL_USED);
        store<u32>(dictionary, count + 1, COUNT);
        code = <i32>count + 1;
        store<i32>(slots + (<usize>slot << 2), code);
      }
      entry = entries + <usize>(code - 1) * ENTRY_BYTES;
    }
    const code = <i32>((entry - entries) / ENTRY_BYTES);
    if (before != 0 && before != entry) store<i32>(before, code, 12);
    before = entry;
    store<i32>(codes + (<usize>row << 2), code);
  }
  return rows;
}
