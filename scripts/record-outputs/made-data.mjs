/** Data in memory that calls are made of, the same in every run. */
import { tableFromArrays } from 'apache-arrow';

/** The first day of made ensembles: Monday, 2 March 2026. */
export const FIRST_DAY = 20_514;
export const PLACES = [
  { latitude: 37.25, longitude: -80 },
  { latitude: 37.25, longitude: -79.75 },
  { latitude: 37.5, longitude: -80 },
];

/** A small linear congruential generator: the same numbers in every run. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A field of seeded values with zeros of both signs, negative numbers, and some missing as NaN and by a bitmap. */
export function seededField({ MemberColumn }, options = {}) {
  const { type = 'float32', order = 'day-fastest', days = 60, cells = 3, members = 9, seed = 1, missing = 0 } = options;
  const random = seeded(seed);
  const columns = Array.from({ length: members }, (_, m) => {
    const length = days * cells;
    const values = type === 'float32' ? new Float32Array(length) : new Float64Array(length);
    const bitmap = missing > 0 ? new Uint8Array((length + 10) >> 3).fill(255) : undefined;
    for (let i = 0; i < length; i++) {
      values[i] = random() < 0.3 ? (random() < 0.5 ? 0 : -0) : (random() - 0.3) * 40;
      const fate = missing > 0 ? random() : 1;
      if (fate < missing / 2) values[i] = Number.NaN;
      else if (fate < missing) bitmap[(i + 3) >> 3] &= ~(1 << ((i + 3) & 7));
    }
    return new MemberColumn(`m${m}`, [{ values, bitmap, firstBit: missing > 0 ? 3 : 0 }]);
  });
  return { type, order, firstDay: 19_000, days, cells, members: columns };
}

/** Tables of the shapes that ensembles come in: by name. */
export function shapedTables({ demoTable }) {
  const dates = Array.from({ length: 30 }, (_, day) => new Date(Date.UTC(2026, 2, 2 + day)).toISOString().slice(0, 10));
  const rows = dates.flatMap((date) => [0, 1, 2].map((member) => ({ date, member })));
  const random = seeded(7);
  const value = () => Math.round(random() * 160) / 8;
  return {
    wide: demoTable('precipitation', { days: 60, members: 7, locations: PLACES }),
    warm: demoTable('temp_mean', { days: 100, members: 31 }),
    long: tableFromArrays({
      date: rows.map(({ date }) => date),
      member: Int32Array.from(rows, ({ member }) => member),
      precipitation: Float64Array.from(rows, value),
    }),
    series: tableFromArrays({
      date: dates,
      temp_max: Float64Array.from(dates, (_, day) => (day % 11 === 7 ? Number.NaN : value())),
    }),
    places: tableFromArrays({
      latitude: Float64Array.from({ length: 60 }, (_, row) => (row < 30 ? 10 : 20)),
      longitude: Float64Array.from({ length: 60 }, () => 359.5),
      date: [...dates, ...dates],
      ...Object.fromEntries([0, 1, 2, 3].map((m) => [`temp_min_member${m}`, Float32Array.from({ length: 60 }, value)])),
    }),
    'day by day': tableFromArrays({
      date: dates.flatMap((date) => [date, date]),
      latitude: Float64Array.from({ length: 60 }, (_, row) => 10 + (row % 2)),
      longitude: Float64Array.from({ length: 60 }, () => 5),
      ...Object.fromEntries([0, 1, 2].map((m) => [`wind_speed_${m}`, Float32Array.from({ length: 60 }, value)])),
    }),
  };
}
