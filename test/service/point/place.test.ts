import { describe, expect, it } from 'vitest';
import { PlaceIndex } from '../../../src/ensemble/place-index.js';
import { placeAt } from '../../../src/service/point/snapshot-parts.js';
import { dataset } from '../handler/fake-service.js';

describe('the place of a point', () => {
  const longitudes = [0, 179.75, 180, 180.25, 280.1, 359.75];
  const data = {
    ...dataset('0 to 360'),
    places: new PlaceIndex({ latitude: new Float64Array(6), longitude: Float64Array.from(longitudes) }),
  };

  it.each([
    [0.01, 0, 0],
    [179.8, 1, 179.75],
    [-180, 2, 180],
    [-179.8, 3, -179.75],
    [-79.9, 4, -79.9],
    [-0.2, 5, -0.25],
  ])('at %d degrees east in data from 0 to 360 has a longitude from -180 to 180', (longitude, cell, reported) => {
    expect(placeAt(data, { latitude: 0, longitude })).toEqual({ cell, location: { latitude: 0, longitude: reported } });
  });
});
