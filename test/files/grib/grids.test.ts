import { describe, expect, it } from 'vitest';
import type { GribGrid, GridPlaces } from '../../../src/files/grib/grid/grid.js';
import { readGridSection } from '../../../src/files/grib/grid/read-grid.js';
import { Octets } from '../../../src/files/grib/octets.js';
import { signed } from '../../reference/grib-message.js';
import {
  type AxesLayout,
  axesSection,
  conicSection,
  mercatorSection,
  millionths,
} from '../../reference/grib-sections.js';

const gridOf = (section3: Uint8Array, centre = 98): GribGrid =>
  readGridSection(new Octets({ source: 'a.grib2', message: 1, offset: 0 }, 3, section3), centre);

/** Latitudes and longitudes, or of a grid without axes the places of its points. */
function placesOf(axes: AxesLayout): [latitude: number[], longitude: number[]] {
  const places: GridPlaces = gridOf(axesSection(axes)).places();
  return [[...places.latitude], [...places.longitude]];
}

describe('the basic angle', () => {
  const halves = [1, 2] as const;

  it('is the unit of regular, Gaussian and reduced grids', () => {
    const regular = { rows: 2, columns: 3, basic: halves, latitudes: [90, 89], longitudes: [0, 2] } as const;
    expect(placesOf(regular)).toEqual([
      [45, 44.5],
      [0, 0.5, 1],
    ]);
    const lengths = [2, 4];
    const reduced = { rows: 2, lengths, basic: halves, latitudes: [20, -20], longitudes: [0, 540] } as const;
    expect(placesOf(reduced)).toEqual([
      [10, 10, -10, -10, -10, -10],
      [0, 180, 0, 90, 180, 270],
    ]);
    const thousandths = [1, 1000] as const;
    const gaussian = { template: 40, rows: 2, columns: 4, last: 1, basic: thousandths } as const;
    const [latitude] = placesOf({ ...gaussian, latitudes: [35_264, -35_264], longitudes: [0, 270_000] });
    expect(latitude).toEqual([expect.closeTo(35.2643897, 6), expect.closeTo(-35.2643897, 6)]);
  });

  it('of more than a degree is an error, in finite time', () => {
    const grid = { rows: 2, columns: 3, latitudes: [2, 1], longitudes: [2, 1] } as const;
    for (const basic of [
      [2, 1],
      [4e9, 1],
      [721, 720],
    ] as const) {
      expect(() => gridOf(axesSection({ ...grid, basic }))).toThrow('has an impossible unit of angles');
    }
    expect(placesOf({ ...grid, basic: [1, 1] })[1]).toEqual([2, 181.5, 361].map((degrees) => degrees - 360));
  });
});

describe('a Gaussian grid', () => {
  // The roots of the Legendre polynomial of degree 8 (Abramowitz and Stegun, table 25.4), as latitudes.
  const roots = [0.960289856497536, 0.796666477413627, 0.525532409916329, 0.18343464249565];
  const north = roots.map((root) => (Math.asin(root) * 180) / Math.PI);
  const all = [...north, ...north.map((degrees) => -degrees).reverse()];
  const latitudesOf = (rows: readonly number[], scanningMode: number) => {
    const ends = millionths(rows[0], rows[rows.length - 1]);
    const grid = { template: 40, rows: rows.length, columns: 1, last: 4, latitudes: ends, scanningMode } as const;
    return placesOf({ ...grid, longitudes: [0, 0] })[0];
  };

  it.each([
    [0, 8],
    [0, 3],
    [3, 5],
    [5, 8],
    [2, 3],
  ])('has the rows %d to %d of the whole earth, in either direction', (from, to) => {
    const rows = all.slice(from, to);
    const expected = rows.map((degrees) => expect.closeTo(degrees, 11));
    expect(latitudesOf(rows, 0)).toEqual(expected);
    expect(latitudesOf(rows.toReversed(), 0x40)).toEqual(expected.toReversed());
  });

  it('whose latitudes are others is an error', () => {
    const text = 'has latitudes that are not those of its Gaussian grid';
    for (const rows of [
      [74, 53],
      [all[0], all[2]],
      [all[7], all[0]],
      [95, 60],
      [all[6], -90],
    ]) {
      expect(() => latitudesOf(rows, 0)).toThrow(text);
    }
  });
});

describe('longitudes', () => {
  const axis = (first: number, last: number, columns: number, scanningMode = 0) =>
    placesOf({ rows: 1, columns, latitudes: [0, 0], longitudes: millionths(first, last), scanningMode })[1];

  it('go on across the meridian 0 and the date line, in the direction of scanning', () => {
    expect(axis(358, 2, 5)).toEqual([-2, -1, 0, 1, 2]);
    expect(axis(179, -179, 3)).toEqual([179, 180, 181]);
    expect(axis(2, 358, 5, 0x80)).toEqual([2, 1, 0, -1, -2]);
    expect(axis(-1, -90, 2)).toEqual([-1, 270]);
    expect(axis(180, 90, 4)).toEqual([-180, -90, 0, 90]);
  });

  it('are brought within a circle from wherever they begin', () => {
    expect(axis(720, 721, 2)).toEqual([0, 1]);
    expect(axis(-2000, -1999, 2)).toEqual([160, 161]);
    expect(axis(-540, -540, 1)).toEqual([-180]);
  });

  it('of one column are the first one, of a circle that closes both', () => {
    expect(axis(5, 5, 1)).toEqual([5]);
    expect(axis(0, 360, 5)).toEqual([0, 90, 180, 270, 360]);
    expect(axis(0, 0, 5)).toEqual([0, 90, 180, 270, 360]);
  });
});

describe('a rotated grid that is turned about its pole', () => {
  // cs2cs +proj=ob_tran +o_proj=longlat +o_lat_p=40 +lon_0=15 +o_lon_p=-20 (the convention of GRIB), and with 33.25.
  const turned = (angle: readonly number[]) =>
    placesOf({
      ...{ template: 1, rows: 1, columns: 1, latitudes: millionths(44, 44), longitudes: millionths(-3, -3) },
      rest: [...signed(-40e6, 4), ...signed(15e6, 4), ...angle],
    });
  const float = (value: number) => [...new Uint8Array(Float32Array.of(value).buffer)].reverse();

  it('lies where PROJ has it, to the east by a positive angle', () => {
    expect(turned(float(20))).toEqual([[expect.closeTo(76.7766971891, 8)], [expect.closeTo(128.1584322074, 8)]]);
    expect(turned(float(0))).toEqual([[expect.closeTo(85.4214698036, 8)], [expect.closeTo(-136.8604308838, 8)]]);
  });

  it('has the angle as an IEEE number or in the unit of the other angles', () => {
    expect(turned(signed(20e6, 4))).toEqual(turned(float(20)));
    expect(turned(signed(-20e6, 4))).toEqual(turned(float(-20)));
  });

  it.each([float(1000), float(Number.NaN), [255, 255, 255, 255]])('by no possible angle is an error', (...angle) => {
    expect(() => turned(angle)).toThrow('has an angle of rotation and a unit that contradict each other');
  });
});

describe('a polar stereographic grid', () => {
  const polar = (flags: number, latitude: number, trueLatitude: number, scanningMode: number) => {
    const plane = {
      rows: 2,
      columns: 3,
      latitude,
      longitude: 10,
      trueLatitude,
      distances: [60e3, 50e3],
      scanningMode,
    } as const;
    return gridOf(conicSection(plane, 30, flags)).places();
  };

  it('of the south mirrors that of the north, whatever the sign of its true latitude', () => {
    const north = polar(0, 60, 71, 0x40);
    for (const trueLatitude of [71, -71]) {
      const south = polar(0x80, -60, trueLatitude, 0);
      expect([...south.longitude]).toEqual([...north.longitude].map((degrees) => expect.closeTo(degrees, 9)));
      expect([...south.latitude]).toEqual([...north.latitude].map((degrees) => expect.closeTo(-degrees, 9)));
    }
  });
});

describe('a Lambert grid whose rows scan southwards', () => {
  const [FRANCE, WASHINGTON] = [85, 7];
  const lambert = (centre: number, latitude: number, longitude: number, scanningMode = 0) => {
    const plane = { rows: 6, columns: 7, latitude, longitude, trueLatitude: 46.5, scanningMode } as const;
    return gridOf(conicSection({ ...plane, distances: [200e3, 200e3] }, 2, 0, [46.5, 46.5]), centre);
  };
  const southwards = 'has a Lambert grid whose rows go southwards from its south-western corner';
  const edges = ({ latitude }: GridPlaces) => [latitude[0], latitude[41]].map(Math.round);

  it('goes southwards from its north-western corner, without a word', () => {
    for (const centre of [FRANCE, WASHINGTON]) {
      const grid = lambert(centre, 50.5, -6.5);
      expect(grid.notice).toBeUndefined();
      expect(edges(grid.places())).toEqual([51, 42]);
    }
  });

  it('goes northwards from its south-western corner where its centre is known for that, with a notice', () => {
    const grid = lambert(FRANCE, 41.6, -5.2);
    expect(edges(grid.places())).toEqual([42, 51]);
    expect(grid.notice).toMatch(/^Lambert grid of Météo-France: .* northwards \(41.* southwards .*jScansPositively=1/);
  });

  it('is an error where another centre has no model in the south, and the projection its centre in the north', () => {
    expect(() => lambert(WASHINGTON, 41.6, -5.2)).toThrow(southwards);
    expect(() => lambert(94, 41.6, -5.2)).toThrow('where centre 94 has no model; northwards from ');
  });

  it('is read where nothing shows that it lies elsewhere, as a part of a larger grid', () => {
    expect(edges(lambert(WASHINGTON, 40, -30).places())).toEqual([40, 35]);
    expect(edges(lambert(WASHINGTON, 41.6, -5.2, 0x40).places())).toEqual([42, 51]);
  });
});

describe('distances between points', () => {
  it("that a writer counts backwards are as long as forwards, by a sign or in two's complement", () => {
    const plane = { rows: 2, columns: 3, latitude: 60, longitude: 10, trueLatitude: 60, scanningMode: 0 } as const;
    const forwards = conicSection({ ...plane, distances: [60e3, 50e3] }, 30, 0);
    for (const negative of [2 ** 31 + 50e6, 2 ** 32 - 50e6]) {
      const backwards = forwards.slice();
      new DataView(backwards.buffer).setUint32(59, negative);
      expect(gridOf(backwards).places()).toEqual(gridOf(forwards).places());
    }
  });

  it('are rounded by up to a tenth of one along a row, and by no more', () => {
    const row = (increment: number) => {
      const axes = axesSection({ rows: 1, columns: 101, latitudes: [0, 0], longitudes: millionths(0, 10) });
      axes[54] = 0x20;
      new DataView(axes.buffer).setUint32(63, increment);
      return gridOf(axes).places().longitude;
    };
    for (const increment of [100_001, 99_950, 100_090, 2 ** 32 - 99_950]) expect(row(increment)[50]).toBe(5);
    for (const increment of [99_010, 99_890, 100_110, 101_500])
      expect(() => row(increment)).toThrow('longitudes that contradict');
  });
});

describe('a Mercator grid with an orientation', () => {
  const mercator = (lastLongitude: number) => {
    const plane = { rows: 2, columns: 3, latitude: 10, longitude: 291, trueLatitude: 20, scanningMode: 0x40 } as const;
    const section3 = mercatorSection({ ...plane, distances: [100e3, 100e3] });
    const view = new DataView(section3.buffer);
    for (const [i, degrees] of [10.944, lastLongitude].entries()) view.setUint32(51 + 4 * i, degrees * 1e6);
    view.setUint32(60, 295e6);
    return gridOf(section3);
  };

  it('is not turned where its last point fits rows along parallels', () => {
    const { latitude } = mercator(292.91).places();
    expect(latitude[2]).toBeCloseTo(latitude[0], 9);
    expect(() => mercator(294)).toThrow('has a Mercator grid that is turned; received "295 degrees"');
  });
});
