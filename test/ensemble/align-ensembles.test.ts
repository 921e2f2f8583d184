import { Float32 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { alignEnsembles } from '../../src/ensemble/align-ensembles.js';
import { formatDate } from '../../src/period/day.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { messageOf, table, typed } from '../table/tables.js';

type Place = readonly [latitude: number, longitude: number];

const roanoke: Place = [37.3, -79.84];
const burrishoole: Place = [53.92, -9.58];
const cairns: Place = [-16.92, 145.77];

interface Rows {
  readonly places: readonly Place[];
  readonly first?: string;
  readonly days?: number;
  readonly order?: 'by location' | 'by day';
  readonly type?: Float32;
}

/**
 * An ensemble of one member, whose value on day `d` of March at a place is `d` and a hundred times its latitude in
 * whole degrees.
 */
function ensemble({ places, first = '2026-03-01', days = 3, order = 'by location', type }: Rows) {
  const start = Number(first.slice(-2));
  const rows = places.flatMap(([latitude, longitude], place) =>
    Array.from({ length: days }, (_, i) => ({ latitude, longitude, place, day: start + i })),
  );
  if (order === 'by day') rows.sort((a, b) => a.day - b.day || a.place - b.place);
  const values = rows.map(({ latitude, day }) => 100 * Math.round(latitude) + day);
  return readEnsemble(
    table({
      latitude: rows.map(({ latitude }) => latitude),
      longitude: rows.map(({ longitude }) => longitude),
      date: rows.map(({ day }) => `2026-03-${String(day).padStart(2, '0')}`),
      member_00: type === undefined ? values : typed(type, values),
    }),
  );
}

/** An ensemble that does not say where it is. */
const placeless = () => readEnsemble(table({ date: ['2026-03-01', '2026-03-02'], member_00: [1, 2] }));

/** Each ensemble's latitudes, first day, and values by cell. */
function aligned(...ensembles: ReturnType<typeof ensemble>[]) {
  const parts = alignEnsembles(ensembles.map((one, i) => ({ ensemble: one, source: `${'abc'[i]}.arrow` })));
  return parts.map(({ field, latitude }) => ({
    order: field.order,
    type: field.type,
    latitude: [...latitude],
    first: formatDate(field.firstDay),
    values: Array.from({ length: field.cells }, (_, cell) =>
      Array.from({ length: field.days }, (_, day) => field.members[0].value(cell * field.days + day)),
    ),
    rows: Array.from({ length: field.cells * field.days }, (_, row) => field.place?.(0, row).row),
  }));
}

const roanokeValues = [3701, 3702, 3703];
const burrishooleValues = [5401, 5402, 5403];

describe('alignEnsembles', () => {
  it('shares the values of ensembles whose locations have the same order, each with its own days', () => {
    const [a, b] = [
      ensemble({ places: [roanoke, burrishoole] }),
      ensemble({ places: [roanoke, burrishoole], days: 2 }),
    ];
    const [first, second] = aligned(a, b);
    expect(first.values).toEqual([roanokeValues, burrishooleValues]);
    expect(second.values).toEqual([roanokeValues.slice(0, 2), burrishooleValues.slice(0, 2)]);
    const [part] = alignEnsembles([{ ensemble: a, source: 'a' }]);
    expect(part.field.members[0]).toBe(a.parts[0].field.members[0]);
  });

  it('puts locations in the order of the first, and knows the row of each value in its own table', () => {
    const [, second] = aligned(
      ensemble({ places: [roanoke, burrishoole, cairns] }),
      ensemble({ places: [cairns, roanoke, burrishoole] }),
    );
    expect(second.latitude).toEqual([37.3, 53.92, -16.92]);
    expect(second.values.slice(0, 2)).toEqual([roanokeValues, burrishooleValues]);
    expect(second.rows).toEqual([4, 5, 6, 7, 8, 9, 1, 2, 3]);
  });

  it('turns rows that go day by day into rows by location, in order or not', () => {
    const places = [roanoke, burrishoole];
    const [first, second, third] = aligned(
      ensemble({ places, order: 'by day' }),
      ensemble({ places: [burrishoole, roanoke], order: 'by day' }),
      ensemble({ places, first: '2026-03-02' }),
    );
    expect(first).toMatchObject({ order: 'day-fastest', values: [roanokeValues, burrishooleValues] });
    expect(first.rows).toEqual([1, 3, 5, 2, 4, 6]);
    expect(second).toMatchObject({ order: 'day-fastest', values: [roanokeValues, burrishooleValues] });
    expect(second.rows).toEqual([2, 4, 6, 1, 3, 5]);
    expect(third).toMatchObject({
      first: '2026-03-02',
      values: [
        [3702, 3703, 3704],
        [5402, 5403, 5404],
      ],
    });
  });

  it('turns large tables that go day by day, of float32 to float64 and in another order, too', () => {
    const places = Array.from({ length: 150 }, (_, i): Place => [i / 4, 10]);
    const shuffled = places.map((_, i) => places[(i * 7) % 150]);
    const large = (order: readonly Place[], type?: Float32) => {
      const rows = Array.from({ length: 130 * 150 }, (_, row) => ({
        day: Math.floor(row / 150),
        place: order[row % 150],
      }));
      const values = rows.map(({ day, place }) => 1000 * place[0] + day);
      return readEnsemble(
        table({
          latitude: rows.map(({ place }) => place[0]),
          longitude: rows.map(({ place }) => place[1]),
          date: rows.map(({ day }) => formatDate(20_500 + day)),
          member_00: type === undefined ? values : typed(type, values),
        }),
      );
    };
    const expected = places.map(([latitude]) => Array.from({ length: 130 }, (_, day) => 1000 * latitude + day));
    for (const part of aligned(large(places), large(shuffled, new Float32()), large(shuffled))) {
      expect(part.type).toBe('float64');
      expect(part.values).toEqual(expected);
    }
    const [, second] = aligned(large(places), large(shuffled));
    // The second place is the 43rd of the shuffled: 43 * 7 is 1 more than twice 150.
    expect(second.rows.slice(130, 132)).toEqual([44, 194]);
  });

  it('takes longitudes from -180 and from 0, the date line and rounding to float32 as the same places', () => {
    const around = (longitudes: number[]) => longitudes.map((longitude, i): Place => [i, longitude]);
    const [, second] = aligned(
      ensemble({ places: around([-79.84, 180, -0.25, 0, 37.12345]) }),
      ensemble({ places: around([280.16, -180, 359.75, 360, Math.fround(37.12345)]) }),
    );
    expect(second.values.map(([value]) => value)).toEqual([1, 101, 201, 301, 401]);
  });

  it('recognizes places in another order where they differ in the fifth decimal, wherever that would be rounded', () => {
    const places: Place[] = [
      [1.40625, 10],
      [2.8125, 179.99999],
      [4.21875, 0.00004],
    ];
    const rounded: Place[] = [
      [4.2188, -0.00004],
      [1.4062, 10],
      [2.8125, -180],
    ];
    const [, second] = aligned(ensemble({ places }), ensemble({ places: rounded }));
    expect(second.values.map(([value]) => value)).toEqual([101, 301, 401]);
  });

  it('makes one field of locations with different days: a day that one does not have is missing', () => {
    const days = (place: Place, first: string, count: number) =>
      Array.from({ length: count }, (_, i) => [...place, `2026-03-0${Number(first.slice(-1)) + i}`] as const);
    const rows = [...days(roanoke, '2026-03-01', 2), ...days(burrishoole, '2026-03-02', 3)];
    const uneven = readEnsemble(
      table({
        latitude: rows.map(([latitude]) => latitude),
        longitude: rows.map(([, longitude]) => longitude),
        date: rows.map(([, , date]) => date),
        member_00: rows.map((_, row) => row + 1),
      }),
    );
    expect(uneven.parts.length).toBe(2);
    const [first] = aligned(uneven);
    expect(first.values).toEqual([
      [1, 2, Number.NaN, Number.NaN],
      [Number.NaN, 3, 4, 5],
    ]);
    expect([0, 1, 5, 6, 7].map((row) => first.rows[row])).toEqual([1, 2, 3, 4, 5]);
  });

  it('has one type of float: float64 unless all are float32', () => {
    const type = new Float32();
    const places = [roanoke];
    expect(aligned(ensemble({ places, type }), ensemble({ places, type })).map((part) => part.type)).toEqual([
      'float32',
      'float32',
    ]);
    const mixed = aligned(ensemble({ places, type }), ensemble({ places }));
    expect(mixed.map((part) => part.type)).toEqual(['float64', 'float64']);
    expect(mixed[0].values[0]).toEqual(roanokeValues);
    expect(mixed[1].values[0]).toEqual(roanokeValues);
  });

  it('takes a single ensemble without coordinates to be at the place of the others, whichever comes first', () => {
    expect(aligned(ensemble({ places: [roanoke] }), placeless()).map(({ latitude }) => latitude)).toEqual([
      [37.3],
      [37.3],
    ]);
    expect(aligned(placeless(), ensemble({ places: [roanoke] })).map(({ latitude }) => latitude)).toEqual([
      [37.3],
      [37.3],
    ]);
    expect(aligned(placeless(), placeless()).map(({ latitude }) => latitude)).toEqual([[Number.NaN], [Number.NaN]]);
  });
});

describe('alignEnsembles rejects', () => {
  it('another place', () => {
    expect(messageOf(() => aligned(ensemble({ places: [roanoke] }), ensemble({ places: [[37.3, -79.83]] })))).toBe(
      'DataError b.arrow: other locations: none at 37.3, -79.84; allowed: the 1 of a.arrow, in any order',
    );
  });

  it('one other place among many, and names the missing one', () => {
    const call = () => aligned(ensemble({ places: [roanoke, cairns] }), ensemble({ places: [cairns, burrishoole] }));
    expect(messageOf(call)).toBe(
      'DataError b.arrow: other locations: none at 37.3, -79.84; allowed: the 2 of a.arrow, in any order',
    );
  });

  it('more or fewer places', () => {
    const call = () => aligned(ensemble({ places: [roanoke, cairns] }), ensemble({ places: [roanoke] }));
    expect(messageOf(call)).toBe(
      'DataError b.arrow: other locations: 1 of them; allowed: the 2 of a.arrow, in any order',
    );
  });

  it('an ensemble without coordinates next to several places', () => {
    const call = () => aligned(ensemble({ places: [roanoke, cairns] }), placeless());
    expect(messageOf(call)).toBe(
      'DataError b.arrow: other locations: 1 of them; allowed: the 2 of a.arrow, in any order',
    );
  });
});
