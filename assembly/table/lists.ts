// Parquet: levels of lists (without lists in them) to offsets and validity of Arrow.
//
//   repetition  u8 for each entry: 0 where a list begins; 16 more bytes may be read
//   definition  u8 for each entry; 0 if each is an item with a value
//   state       i32 rows and items before the page, whether the last list has items, null lists; and then those after the page
//   offsets     i32 where the items of each row begin, and the end of those of the last one
//   validity    a bit for each row, all 1 before; 0 becomes that of a null list
//   levels      the definition levels of the items alone

/**
 * Reads the levels of a page of at most `rows` rows in all; `empty` is the level of an empty list, below which lists
 * are null. Returns the number of items; -1 if an item is in no list, or there are more lists.
 */
export function readLists(
  repetition: usize, definition: usize, count: i32, empty: i32, rows: i32, state: usize, offsets: usize, validity: usize, levels: usize,
): i32 {
  let row = load<i32>(state);
  const before = load<i32>(state, 4);
  let hasItems = load<i32>(state, 8) != 0;
  let nulls = load<i32>(state, 12);
  let items = 0;
  if (definition == 0 && count > 0) {
    if (load<u8>(repetition) != 0 && !hasItems) return -1;
    for (let i = 0; i < count; i += 16) {
      let begins = i8x16.bitmask(i8x16.eq(v128.load(repetition + i), i8x16.splat(0)));
      if (count - i < 16) begins &= (1 << (count - i)) - 1;
      for (; begins != 0; begins &= begins - 1) {
        if (row == rows) return -1;
        store<i32>(offsets + (row++ << 2), before + i + ctz(begins));
      }
    }
    items = count;
    hasItems = true;
  } else {
    for (let i = 0; i < count; i++) {
      const level = <i32>load<u8>(definition + i);
      if (load<u8>(repetition + i) == 0) {
        if (row == rows) return -1;
        store<i32>(offsets + (row << 2), before + items);
        if (level < empty) {
          const byte = validity + (row >> 3);
          store<u8>(byte, load<u8>(byte) & ~(<u8>1 << <u8>(row & 7)));
          nulls++;
        }
        hasItems = level > empty;
        row++;
      } else if (level <= empty || !hasItems) return -1;
      if (level > empty) store<u8>(levels + items++, level);
    }
  }
  store<i32>(offsets + (row << 2), before + items);
  store<i32>(state, row);
  store<i32>(state, before + items, 4);
  store<i32>(state, hasItems ? 1 : 0, 8);
  store<i32>(state, nulls, 12);
  return items;
}
