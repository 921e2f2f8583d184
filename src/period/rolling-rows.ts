import { type FillTogether, type Tile, TOGETHER, type Together } from './fill-together.js';

/** So many windows are filled together at least. */
const MIN_TOGETHER = 32;

const fillTogether: FillTogether = ({ order, cells: width }, { table: { count }, longest }, make) => {
  if (order === 'day-fastest') return undefined;
  const together = Math.min(count, Math.max(MIN_TOGETHER, longest));
  const own = make(together);
  let filled = -1;
  let checked = -1;
  const groupOf = (tile: Tile): Tile => {
    const window = tile.window - (tile.window % together);
    return { ...tile, window, windows: Math.min(together, count - window) };
  };
  const rows = {
    rows: own.rows,
    rowBytes: own.rowBytes,
    divisors: own.divisors,
    single: own.single,
    maxLanes: own.maxLanes,
    begin() {
      filled = checked = -1;
      own.begin();
    },
    *tiles() {
      const { maxLanes } = own;
      for (let first = 0; first < count; first += together) {
        for (let cell = 0; cell < width; cell += maxLanes) {
          const cells = Math.min(maxLanes, width - cell);
          for (let window = first; window < count && window < first + together; window++) {
            yield { cell, cells, window, windows: 1, lane: window * width + cell, lanes: cells };
          }
        }
      }
    },
    fill(tile: Tile) {
      const place = tile.window % together;
      const first = tile.lane - place * width;
      if (filled !== first) own.fill(groupOf(tile));
      filled = first;
      own.divide(tile);
      rows.rows = own.rows + (own.single ? 4 : 8) * place * tile.cells;
    },
    assertFinite(tile: Tile, flags: number) {
      if (!flags) return;
      own.assertFinite(tile, flags, rows, checked === filled ? null : groupOf(tile));
      checked = filled;
    },
  };
  return rows;
};

/** What tables of rolling windows have. */
export const ROLLING_ROWS: Together = { [TOGETHER]: fillTogether };
