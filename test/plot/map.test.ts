import { expect, it } from 'vitest';
import type { Grid } from '../../src/ensemble/grid.js';
import { DataError, OptionError } from '../../src/errors.js';
import { type MapField, weatherMap } from '../../src/plot/index.js';
import { likelyTerciles } from '../../src/plot/map/likely-tercile.js';
import { expectValues, field, frameOf, legendOf, pixelsOf, rangeReader, wave } from './map-pixels.js';
import { elementsOf } from './read-svg.js';

const range = (from: number, to: number, step: number) =>
  Float64Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);

const rectilinear = (latitude: Float64Array, longitude: Float64Array): Grid => ({
  kind: 'rectilinear',
  latitude,
  longitude,
});
const places = (latitude: number[], longitude: number[]): Grid => ({
  kind: 'places',
  latitude: Float64Array.from(latitude),
  longitude: Float64Array.from(longitude),
  shape: [latitude.length],
});
const plain = { coastlines: 'none', theme: 'light' } as const;
const globe = { west: -180, east: 180, south: -90, north: 90 };

/** The markup of cells, by class. */
const cellsOf = (svg: string) =>
  elementsOf(svg, 'path')
    .filter(({ attributes }) => attributes.class?.startsWith('cells'))
    .map(({ attributes: { class: name, d } }) => [name, d]);

it('shows the value of each cell at its place, with longitudes from 0 and latitudes from the north', () => {
  const given = field(rectilinear(range(-88, 88, 4).reverse(), range(2, 358, 4)));
  expectValues(weatherMap(given, plain), globe, given);
});

it('draws a grid alike in whatever order its axes are', () => {
  const [latitude, longitude] = [range(-87.5, 87.5, 5), range(-177.5, 177.5, 5)];
  const svg = weatherMap(field(rectilinear(latitude, longitude)), plain);
  const turned = longitude.map((degrees) => (degrees < 0 ? degrees + 360 : degrees));
  const others = [
    rectilinear(latitude.slice().reverse(), longitude),
    rectilinear(latitude, turned),
    rectilinear(latitude, turned.slice().sort()),
    rectilinear(latitude, longitude.slice().reverse()),
  ];
  for (const grid of others) expect(cellsOf(weatherMap(field(grid), plain))).toEqual(cellsOf(svg));
});

it('draws places of a rectilinear grid in any order as that grid', () => {
  const [latitude, longitude] = [range(40, 50, 1), range(-5, 12, 1)];
  const all = Array.from(latitude).flatMap((lat) => Array.from(longitude, (lon) => [lat, lon]));
  all.sort(([a, b], [c, d]) => Math.sin(a * 7 + b * 3) - Math.sin(c * 7 + d * 3));
  const grid = places(
    all.map(([lat]) => lat),
    all.map(([, lon]) => lon),
  );
  const expected = cellsOf(weatherMap(field(rectilinear(latitude, longitude)), plain));
  expect(cellsOf(weatherMap(field(grid), plain))).toEqual(expected);
});

it('a grid over the date line is one area, with longitudes of either kind', () => {
  const given = field(rectilinear(range(-40, 0, 2), range(150, 210, 2)));
  const svg = weatherMap(given, plain);
  expectValues(svg, { west: 149, east: 211, south: -41, north: 1 }, given);
  const western = range(150, 210, 2).map((degrees) => (degrees > 180 ? degrees - 360 : degrees));
  expect(cellsOf(weatherMap(field(rectilinear(range(-40, 0, 2), western)), plain))).toEqual(cellsOf(svg));
});

it('cells at the poles are half as high, and a longitude that comes twice is drawn once', () => {
  const svg = weatherMap(
    field(rectilinear(range(-90, 90, 30), range(0, 360, 30)), (lat) => lat),
    plain,
  );
  const { height } = frameOf(svg);
  const tops = cellsOf(svg).map(([, d]) => {
    const [, top, bottom] = /M[\d.]+,([\d.]+)H[\d.]+V([\d.]+)/.exec(d) as RegExpExecArray;
    return (Number(bottom) - Number(top)) / height;
  });
  const close = (share: number) => expect.closeTo(share, 2);
  expect(tops).toEqual([1 / 12, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 12].map(close));
  // The cells of each row are one area, which is cut at the edge of the map.
  expect(cellsOf(svg).map(([, d]) => d.split('M').length - 1)).toEqual([2, 2, 2, 2, 2, 2, 2]);
});

it('an image of a large grid has the same values at the same places', () => {
  const given = field(rectilinear(range(-89.5, 89.5, 1), range(0.5, 359.5, 1)));
  const svg = weatherMap(given, plain);
  expect(elementsOf(svg, 'image')).toHaveLength(1);
  expectValues(svg, globe, given);
});

it('cells of a reduced Gaussian grid reach to their neighbours in rows of different lengths', () => {
  const rows = Array.from(range(-85, 85, 10)).flatMap((lat) => {
    const count = Math.max(6, Math.round(36 * Math.cos((lat * Math.PI) / 180)));
    return Array.from({ length: count }, (_, i) => [lat, (i * 360) / count]);
  });
  const given = field(
    places(
      rows.map(([lat]) => lat),
      rows.map(([, lon]) => lon),
    ),
  );
  expectValues(weatherMap(given, plain), globe, given);
});

it('a row of places with a gap has no cells in it', () => {
  const longitude = [0, 1, 2, 3, 10, 11, 12, 13];
  const grid = places([...longitude.map(() => 50), ...longitude.map(() => 51)], [...longitude, ...longitude]);
  const svg = weatherMap(
    field(grid, () => 7),
    plain,
  );
  expect(rangeReader(svg, { west: -0.5, east: 13.5, south: 49.5, north: 51.5 })(6.2, 50.2)).toBe('#ffffff');
});

/** A polar stereographic grid of 31 by 31 points, 250 km apart. */
function polarGrid(sign = 1): Grid {
  const axis = range(-3750, 3750, 250);
  const all = Array.from(axis).flatMap((y) => Array.from(axis, (x) => [x, y]));
  const latitude = all.map(([x, y]) => sign * (90 - (2 * Math.atan(Math.hypot(x, y) / 12742) * 180) / Math.PI));
  const longitude = all.map(([x, y]) => (Math.atan2(x, -y) * 180) / Math.PI);
  return { ...places(latitude, longitude), shape: [31, 31] } as Grid;
}

it.each([1, -1])('a curvilinear grid around a pole has the pole in its middle (%d)', (sign) => {
  const given = field(polarGrid(sign), (latitude) => Math.abs(latitude));
  const svg = weatherMap(given, plain);
  const { left, top, width, height } = frameOf(svg);
  const [pixels, { colours }] = [pixelsOf(svg), legendOf(svg)];
  expect(pixels.at(left + width / 2 + 3, top + height / 2 + 5)).toBe(colours[colours.length - 1]);
  for (const [x, y] of [
    [3, 3],
    [width - 3, 3],
    [3, height - 3],
    [width - 3, height - 3],
  ]) {
    expect(pixels.at(left + x, top + y)).toBe(colours[0]);
  }
});

it('a curvilinear grid around a pole covers all longitudes up to the pole in latitudes and longitudes', () => {
  const given = field(polarGrid(), (latitude) => latitude);
  const svg = weatherMap(given, {
    ...plain,
    projection: 'equirectangular',
    bbox: { south: 70, north: 90, west: -180, east: 180 },
  });
  // Cells at the edge are whole: the outermost corner of one whose centre is at 70 degrees or above.
  const frame = frameOf(svg);
  const middle = ((70 + 90) / 2) * (Math.PI / 180);
  const south = 90 - (frame.height / frame.width) * 360 * Math.max(0.35, Math.cos(middle));
  expect(south).toBeGreaterThan(66.5);
  expect(south).toBeLessThan(69.5);
  const rangeAt = rangeReader(svg, { west: -180, east: 180, south, north: 90 });
  for (const longitude of [-178, -91, 1, 44, 93, 178]) {
    for (const latitude of [72, 76, 81, 86]) {
      const [low, high] = rangeAt(longitude, latitude) as [number, number];
      expect(low, `${latitude}, ${longitude}`).toBeLessThan(latitude + 1.5);
      expect(high, `${latitude}, ${longitude}`).toBeGreaterThan(latitude - 1.5);
    }
    expect(typeof rangeAt(longitude, 89.8)).toBe('object');
  }
});

it('a curvilinear grid of a region is drawn as a cone, without gaps between its cells', () => {
  const [rows, columns] = [40, 50];
  const all = Array.from({ length: rows * columns }, (_, i) => [Math.floor(i / columns), i % columns]);
  const latitude = all.map(([y, x]) => 40 + 0.3 * y + 0.0006 * (x - 25) ** 2);
  const longitude = all.map(([y, x]) => 10 + (x - 25) * (0.35 + 0.003 * y));
  const svg = weatherMap(
    field({ ...places(latitude, longitude), shape: [rows, columns] } as Grid, (lat) => lat),
    plain,
  );
  const { left, top, width, height } = frameOf(svg);
  const [pixels, { colours }] = [pixelsOf(svg), legendOf(svg)];
  // Down the middle, classes follow each other from north to south.
  const seen: number[] = [];
  for (let y = 4; y < height - 12; y += 0.5) seen.push(colours.indexOf(pixels.at(left + width / 2 + 7, top + y)));
  const known = seen.slice(
    seen.findIndex((k) => k >= 0),
    seen.findLastIndex((k) => k >= 0) + 1,
  );
  expect(known).toEqual([...known].sort((a, b) => b - a));
  expect(new Set(known).size).toBeGreaterThan(colours.length - 2);
});

it('stations are discs at their places', () => {
  const grid = places([47.3, 46.2, 48.9, 45.1, 44.7], [8.5, 6.1, 2.3, 7.7, 12.4]);
  const svg = weatherMap(field(grid), plain);
  expect(elementsOf(svg, 'circle')).toHaveLength(5);
  const [x, y] = elementsOf(svg, 'circle').map(({ attributes: { cx, cy } }) => [Number(cx), Number(cy)])[2];
  const { width, height } = frameOf(svg);
  // The margin is 5 % of the longer side.
  expect(x / width).toBeCloseTo(0.505 / 11.11, 2);
  expect(y / height).toBeCloseTo(0.505 / 5.21, 2);
});

it('missing cells are hatched, in an image too, and counted in the description', () => {
  for (const step of [5, 1]) {
    const given = field(rectilinear(range(-87.5, 87.5, step), range(0, 360 - step, step)), (latitude, longitude) =>
      latitude > 0 && longitude < 90 ? Number.NaN : wave(latitude, longitude),
    );
    const svg = weatherMap(given, plain);
    const pixels = pixelsOf(svg);
    const { left, top, width, height } = frameOf(svg);
    const [x, y] = [left + 0.6 * width, top + 0.3 * height];
    const colours = new Set(Array.from({ length: 100 }, (_, i) => pixels.at(x + (i % 10), y + i / 10)));
    expect(colours).toContain('#dfe1e4');
    expect(legendOf(svg).colours.filter((colour) => colours.has(colour))).toEqual([]);
    expect(svg).toContain('>missing</text>');
    expect(svg).toMatch(/<desc>.* cells, \d+ of them missing, values from/);
  }
});

it('says that all values are missing', () => {
  const svg = weatherMap(
    field(rectilinear(range(0, 10, 1), range(0, 10, 1)), () => Number.NaN),
    plain,
  );
  expect(svg).toMatch(/<desc>.*all values are missing/);
  expect(legendOf(svg)).toEqual({ colours: [], labels: [] });
});

it('bbox shows the cells within it, and the legend is of these', () => {
  const given = field(rectilinear(range(-80, 80, 10), range(0, 350, 10)), (latitude) => latitude);
  const bbox = { south: 15, north: 45, west: -35, east: 25 };
  const svg = weatherMap(given, { ...plain, bbox });
  expectValuesWithin(svg, bbox);
  const numbers = legendOf(svg).labels.map(Number);
  expect([numbers[0], numbers[numbers.length - 1]]).toEqual([20, 40]);
  expect(() => weatherMap(given, { ...plain, bbox: { south: 1, north: 2, west: 1, east: 2 } })).toThrow(
    new OptionError({
      subject: 'bbox',
      problem: 'no cell is within it',
      received: 'latitude 1 to 2, longitude 1 to 2',
      allowed: 'a box that overlaps latitude -85 to 85, longitude -180 to 180',
    }),
  );
});

it('bbox shows whole cells at its edges, also over the date line', () => {
  const given = field(rectilinear(range(-80, 80, 10), range(0, 350, 10)), (latitude) => latitude);
  for (const [west, east, edges] of [
    [-33, 27, [-35, 25]],
    [-31, 21, [-35, 25]],
    [167, -167, [165, 195]],
  ] as const) {
    const svg = weatherMap(given, { ...plain, bbox: { south: 18, north: 41, west, east } });
    const { width, height } = frameOf(svg);
    const [across, up] = [edges[1] - edges[0], 45 - 15];
    expect(width / height).toBeCloseTo((across / up) * Math.cos((30 * Math.PI) / 180), 2);
    expect(
      legendOf(svg)
        .labels.map(Number)
        .filter((value) => value % 10 === 0),
    ).toEqual([20, 30, 40]);
  }
  // Discs of stations at the edge are whole, too.
  const stations = field(places([50, 51.2, 52, 50.7], [5, 6.1, 7.3, 8]), (latitude) => latitude);
  const svg = weatherMap(stations, { ...plain, bbox: { south: 50, north: 52, west: 5, east: 8 } });
  const [{ width, height }, discs] = [frameOf(svg), elementsOf(svg, 'circle')];
  for (const { attributes } of discs) {
    expect(Number(attributes.cx)).toBeGreaterThanOrEqual(Number(attributes.r));
    expect(Number(attributes.cx)).toBeLessThanOrEqual(width - Number(attributes.r));
    expect(Number(attributes.cy)).toBeGreaterThanOrEqual(Number(attributes.r));
    expect(Number(attributes.cy)).toBeLessThanOrEqual(height - Number(attributes.r));
  }
  expect(discs).toHaveLength(4);
});

it('height limits the picture, and the map in it keeps its shape', () => {
  const given = field(rectilinear(range(-80, 80, 10), range(0, 350, 10)));
  const size = (svg: string) => Number(/ height="(\d+)"/.exec(svg)?.[1]);
  const usual = weatherMap(given, plain);
  const low = weatherMap(given, { ...plain, height: 300 });
  expect(size(usual)).toBeGreaterThan(420);
  expect(size(low)).toBeLessThanOrEqual(300);
  expect(size(low)).toBeGreaterThan(295);
  const ratio = (svg: string) => frameOf(svg).width / frameOf(svg).height;
  expect(ratio(low)).toBeCloseTo(ratio(usual), 2);
  expect(size(weatherMap(given, { ...plain, height: 4000 }))).toBe(size(usual));
});

/** Shares below, near and above normal by cell, and what a map of them shows. */
const terciles = (shares: readonly (readonly [number, number, number])[], window = 'mean'): MapField => ({
  grid: rectilinear(Float64Array.of(0, 10), range(0, 10 * (shares.length / 2 - 1), 10)),
  ...likelyTerciles([0, 1, 2].map((category) => shares.map((share) => share[category]))),
  ...{ variable: 'temp_mean', units: 'degC', window },
});

it('the most likely tercile has the colour of its category and share, and a neutral one without any', () => {
  const shares = [
    [0.45, 0.3, 0.25],
    [0.75, 0.15, 0.1],
    [0.2, 0.55, 0.25],
    [0.1, 0.2, 0.7],
    // None has 40 %; two have the same; a share is missing.
    [0.39, 0.31, 0.3],
    [0.45, 0.1, 0.45],
    [Number.NaN, 0.5, 0.5],
    [0.3, 0.3, 0.4],
  ] as const;
  const svg = weatherMap(terciles(shares), plain);
  const { left, top, width, height } = frameOf(svg);
  const pixels = pixelsOf(svg);
  const at = shares.map((_, i) =>
    pixels.at(left + (((i % 4) + 0.5) * width) / 4, top + ((1 - Math.floor(i / 4) + 0.5) * height) / 2),
  );
  const { colours } = legendOf(svg);
  // Rows of the legend from above to below normal, and the neutral class.
  const [above, normal, below] = [0, 4, 8].map((from) => colours.slice(from, from + 4));
  expect(at.slice(0, 6)).toEqual([below[0], below[3], normal[1], above[3], colours[12], colours[12]]);
  expect(['#dfe1e4', '#a7adb3']).toContain(at[6]);
  expect(at[7]).toBe(above[0]);
  expect(new Set(colours).size).toBe(13);
  expect(svg).toContain('>none has 40 %</text>');
  expect(svg).toContain(
    'most likely tercile of the climatology: 8 cells, 2 most likely below normal, 1 most likely near normal, ' +
      '2 most likely above normal, 2 without a category of at least 40 %, 1 missing.',
  );
  // Above normal is red of temperatures, and green of amounts.
  const reddish = (colour: string) => Number.parseInt(colour.slice(1, 3), 16) > Number.parseInt(colour.slice(5), 16);
  expect([above.map(reddish), below.map(reddish)]).toEqual([Array(4).fill(true), Array(4).fill(false)]);
  const wet = legendOf(weatherMap(terciles(shares, 'sum'), plain)).colours;
  expect(wet.slice(0, 4).map(reddish)).toEqual(Array(4).fill(false));
});

it('limits of a map of the most likely tercile are shares, and the lowest is that of the neutral class', () => {
  const shares = [
    [0.45, 0.3, 0.25],
    [0.1, 0.2, 0.7],
    [0.2, 0.55, 0.25],
    [0.1, 0.25, 0.65],
  ] as const;
  const svg = weatherMap(terciles(shares), { ...plain, limits: [0.5, 0.6, 1] });
  expect(legendOf(svg).labels).toEqual(['50', '60', '100 %']);
  expect(svg).toContain('0 most likely below normal, 1 most likely near normal, 2 most likely above normal, 1 without');
  expect(() => weatherMap(terciles(shares), { limits: [40, 50] })).toThrow(
    'limits: cannot be used; received 40, 50; allowed: shares from 0 to 1',
  );
  expect(() => weatherMap({ ...terciles(shares), categories: [0, 1, 2, 3] })).toThrow('field.categories');
});

function expectValuesWithin(svg: string, bbox: typeof globe): void {
  const rangeAt = rangeReader(svg, bbox);
  for (const latitude of [22, 28, 33, 38]) {
    const [low, high] = rangeAt(-12.2, latitude) as [number, number];
    const value = 10 * Math.round(latitude / 10);
    expect([low <= value, high >= value]).toEqual([true, true]);
  }
}

it('names what is shown, the window, and where it comes from, and escapes texts of files', () => {
  const given: MapField = {
    ...field(rectilinear(range(0, 10, 1), range(0, 10, 1))),
    ...{ variable: 'precipitation', units: 'mm', window: 'sum', granularity: 'weekly', start: 20549, end: 20555 },
    statistic: { kind: 'exceedance', threshold: { operator: '>', limit: 20 } },
    values: Float64Array.from({ length: 121 }, (_, i) => i / 121),
    metadata: new Map([
      ['init_time', '2026-03-02T00:00:00Z'],
      ['version', '<script>alert(1)</script>'],
    ]),
    members: 31,
  };
  const texts = elementsOf(weatherMap(given, plain), 'text').map(({ text }) => text);
  expect(texts).toContain('precipitation, weekly sums: share of members with more than 20 mm');
  expect(texts).toContain('2026-W15, 2026-04-06 to 2026-04-12 · lead 35 to 41 days');
  expect(texts.join(' ')).toContain('run 2026-03-02 00:00 UTC · &lt;script&gt;alert(1)&lt;/script&gt; · 31 members');
  expect(legendOf(weatherMap(given, plain)).labels).toEqual([
    '0',
    '10',
    '20',
    '30',
    '40',
    '50',
    '60',
    '70',
    '80',
    '90',
    '100',
  ]);
});

it('draws coastlines of the package, or given ones', () => {
  const given = field(rectilinear(range(35, 60, 1), range(-10, 30, 1)));
  expect(elementsOf(weatherMap(given, { theme: 'light' }), 'use', 'coast')).toHaveLength(1);
  expect(elementsOf(weatherMap(given, plain), 'use')).toHaveLength(0);
  const square = {
    type: 'Topology',
    objects: { land: { type: 'Polygon', arcs: [[0]] } },
    arcs: [
      [
        [0, 40],
        [0, 50],
        [10, 50],
        [10, 40],
        [0, 40],
      ],
    ],
  } as never;
  const svg = weatherMap(given, { theme: 'light', coastlines: square });
  const uses = elementsOf(svg, 'use').map(({ attributes }) => [attributes.class, attributes.href.slice(1)]);
  const id = uses[0][1];
  expect(uses).toEqual([
    ['coast-edge', id],
    ['coast', id],
  ]);
  const drawn = elementsOf(svg, 'path').find(({ attributes }) => attributes.id === id);
  expect(drawn?.attributes.fill).toBe('none');
  // The corners are where cells of these degrees have theirs: steps of tenths add up without drift.
  const [[x0, y0], ...others] = stepsOf(drawn?.attributes.d ?? '');
  expect(others.at(-1)).toEqual([x0, y0]);
  const perDegree = (Math.max(...others.map(([x]) => x)) - x0) / 10;
  const [frame] = elementsOf(svg, 'rect', 'frame');
  expect(perDegree).toBeCloseTo(Number(frame.attributes.width) / 41, 1);
  expect(y0).toBeGreaterThan(Math.min(...others.map(([, y]) => y)));
  expect(() => weatherMap(given, { coastlines: {} as never })).toThrow(OptionError);
});

/** The points of a path of relative steps. */
function stepsOf(d: string): [number, number][] {
  let [x, y] = [0, 0];
  return Array.from(d.matchAll(/[ml ]*(-?[\d.]+?)(?: |(?=-))(-?\d*\.?\d+)/g), ([, dx, dy]) => {
    [x, y] = [Number((x + Number(dx)).toFixed(1)), Number((y + Number(dy)).toFixed(1))];
    return [x, y];
  });
}

it('gives the same text each time', () => {
  const given = field(rectilinear(range(-89.5, 89.5, 1), range(0, 359, 1)));
  expect(weatherMap(given)).toBe(weatherMap(given));
});

it('rejects what no map can show', () => {
  const grid = rectilinear(range(0, 3, 1), range(0, 3, 1));
  const values = new Float64Array(16);
  expect(() => weatherMap({ grid, values: values.slice(1) })).toThrow(
    'field.values: cannot be used; received 15; allowed: 16 numbers, one for each cell of the grid',
  );
  values[5] = Number.POSITIVE_INFINITY;
  expect(() => weatherMap({ grid, values })).toThrow(DataError);
  expect(() => weatherMap({ grid: places([1], [2]), values: [3] })).toThrow('field: is of a single place');
  expect(() =>
    weatherMap({ grid: rectilinear(range(0, 3, 1), range(500, 503, 1)), values: new Float64Array(16) }),
  ).toThrow('field.grid.longitude: cannot be used; received 500; allowed: degrees up to 360');
  expect(() => weatherMap({} as never)).toThrow(OptionError);
  expect(() => weatherMap({ grid, values: new Float64Array(16) }, { width: 3 })).toThrow(OptionError);
});

it('has classes between given limits; the legend says where values lie beyond them', () => {
  const cells = field(rectilinear(range(40, 50, 1), range(0, 10, 1)), (latitude) => latitude);
  const draw = (limits: number[], statistic: MapField['statistic'] = { kind: 'mean' }, scale = 1) =>
    weatherMap(
      { ...cells, statistic, values: Float64Array.from(cells.values, (value) => value * scale) },
      { ...plain, limits },
    );
  const within = draw([30, 42, 44, 60]);
  expect(legendOf(within).labels).toEqual(['30', '42', '44', '60']);
  expect(legendOf(within).colours).toHaveLength(3);
  expect(within).toContain('>m/s<');
  const beyond = draw([42, 44, 48]);
  expect(beyond).toContain('>m/s; ends include values beyond<');
  const [pixels, frame, { colours }] = [pixelsOf(beyond), frameOf(beyond), legendOf(beyond)];
  const colourAt = (share: number) => pixels.at(frame.left + 20, frame.top + share * frame.height);
  expect([colourAt(0.02), colourAt(0.98)]).toEqual([colours[1], colours[0]]);
  const shares = draw([0, 0.25, 1], { kind: 'exceedance', threshold: { operator: '>', limit: 5 } }, 0.02);
  expect(legendOf(shares).labels).toEqual(['0', '25', '100']);
});

it.each([[[]], [[1]], [[2, 1]], [[1, 1]], [[0, Number.NaN]], [Array.from({ length: 41 }, (_, i) => i)]])(
  'rejects the limits %j',
  (limits) => {
    const cells = field(rectilinear(range(40, 50, 1), range(0, 10, 1)));
    expect(() => weatherMap(cells, { limits })).toThrow('allowed: 2 to 40 numbers, ascending');
  },
);

it('says the lead of its window where the run is known, and fills its box on request', () => {
  const given = {
    ...field(rectilinear(range(40, 50, 1), range(0, 10, 1))),
    ...{ granularity: 'weekly', start: 20_549, end: 20_555 },
  };
  const metadata = new Map([['init_time', '2026-03-02T00:00:00Z']]);
  expect(weatherMap({ ...given, metadata }, plain)).toContain(
    '2026-W15, 2026-04-06 to 2026-04-12 · lead 35 to 41 days',
  );
  expect(weatherMap(given, plain)).not.toContain('lead');
  const [root] = weatherMap(given, { ...plain, fill: true }).match(/<svg[^>]*>/) ?? [];
  expect([root?.includes('width="100%"'), root?.includes('height=')]).toEqual([true, false]);
});
