/** The ends of the axis that the fans of one table share. */
export interface FanScale {
  min: number;
  max: number;
}

/** How a fan is drawn. */
export interface FanOptions {
  /** Characters a line. Default 32. */
  width?: number;
  /** Only ASCII characters, for terminals without block characters. Default false. */
  ascii?: boolean;
}

/**
 * Draws one window's quantiles on one line of `width` characters: light shading from the lowest to the highest value,
 * darker shading for each pair of values further in, and a full block at the middle one, the median.
 *
 * `values` are the quantiles in any order and of any count from 1: they are nested from the outside by rank, and only
 * an odd count has a middle. Each character stands for an equal part of the scale; values beyond its ends are drawn at
 * the ends; where the ends coincide everything falls on the middle character. The line is blank where there is no scale
 * or a value is missing (null, NaN or infinite).
 */
export function fan(
  values: readonly (number | null)[],
  scale: FanScale | undefined,
  { width = 32, ascii = false }: FanOptions = {},
): string {
  if (scale === undefined || !values.every(isPresent)) return ' '.repeat(width);
  const { shades, middle } = ascii ? ASCII_INK : BLOCK_INK;
  const cells = [...values].sort((a, b) => a - b).map((value) => cellOf(value, scale, width));
  const line: string[] = Array(width).fill(' ');
  const intervals = Math.floor(cells.length / 2);
  for (let depth = 0; depth < intervals; depth++) {
    line.fill(shades[shadeAt(depth, intervals, shades.length)], cells[depth], cells[cells.length - 1 - depth] + 1);
  }
  if (cells.length % 2 === 1) line[cells[intervals]] = middle;
  return line.join('');
}

/**
 * The common scale of many fans: the least and the greatest value of all rows, widened to round numbers. Missing values
 * are passed over; undefined where no value is present.
 */
export function fanScale(rows: Iterable<readonly (number | null)[]>): FanScale | undefined {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    for (const value of row) {
      if (!isPresent(value)) continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  if (min > max) return undefined;
  // A tenth to a hundredth of the range: round, and little space is lost.
  const digits = 1 - Math.floor(Math.log10(max - min));
  const round = { min: -roundUp(-min, digits) + 0, max: roundUp(max, digits) };
  // No round numbers lie around a range of 0, or of the last digits of doubles.
  return round.min < round.max ? round : { min, max };
}

/**
 * The axis line of fans: the two ends of the scale, labelled, in `width` characters, as `├ 0 ───────────── 60 mm ┤`.
 *
 * `units` follows the upper label. A line too narrow for the labels is longer than `width` rather than cut; without a
 * scale the line is blank.
 */
export function fanAxis(
  scale: FanScale | undefined,
  { width = 32, ascii = false, units }: FanOptions & { units?: string } = {},
): string {
  if (scale === undefined) return ' '.repeat(width);
  const [left, rule, right] = ascii ? ['|', '-', '|'] : ['├', '─', '┤'];
  const low = `${left} ${scale.min} `;
  const high = ` ${scale.max}${units === undefined ? '' : ` ${units}`} ${right}`;
  return low + rule.repeat(Math.max(1, width - low.length - high.length)) + high;
}

/** Shades run from the outermost interval in; the darkest one before the middle is for three and more intervals. */
const BLOCK_INK = { shades: ['░', '▒', '▓'], middle: '█' };
const ASCII_INK = { shades: ['-', '=', '#'], middle: '|' };

function shadeAt(depth: number, intervals: number, shades: number): number {
  if (intervals <= shades) return depth;
  return Math.floor((depth * shades) / intervals);
}

function cellOf(value: number, { min, max }: FanScale, width: number): number {
  if (min === max) return Math.floor((width - 1) / 2);
  const cell = Math.floor(((value - min) / (max - min)) * width);
  return Math.min(width - 1, Math.max(0, cell));
}

/** Rounds up to `digits` decimals; a negative number of them means zeros before the point. */
function roundUp(value: number, digits: number): number {
  const power = 10 ** Math.abs(digits);
  const scaled = digits >= 0 ? value * power : value / power;
  // 0.07 * 100 is a little more than 7.
  const whole = Math.ceil(Number(scaled.toPrecision(12)));
  return digits >= 0 ? whole / power : whole * power;
}

function isPresent(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}
