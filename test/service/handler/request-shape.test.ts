import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { JSON_TYPE, type MediaType } from '../../../src/respond/body.js';
import { createEndpoints } from '../../../src/service/endpoints/all-endpoints.js';
import type { Endpoint } from '../../../src/service/endpoints/endpoint.js';
import { RequestReader } from '../../../src/service/handler/request-shape.js';
import { holds } from '../../property/fuzz.js';

const key = { id: 'k', owner: 'Ada', downscaling: false };
const PATH = '/v2/forecast/statistics';
const endpoint = createEndpoints(undefined).find(({ path }) => path === PATH) as Endpoint;

/** A reader that has read a request for 1 N 2 E; `parse` stands for what reads all parameters. */
function experiencedReader() {
  const mediaType: MediaType = JSON_TYPE;
  const parse = vi.fn(() => ({ values: { lat: 1, lon: 2, use_downscaling: false }, mediaType }));
  const reader = new RequestReader();
  const read = (lat: string, lon: string) => {
    const head = { method: 'GET', path: PATH, query: `lat=${lat}&var=precipitation&lon=${lon}`, header: () => null };
    return reader.read(endpoint, head, key, parse).query.point;
  };
  expect(read('1', '2')).toEqual({ latitude: 1, longitude: 2 });
  return { read, parse };
}

/** Decimals within a range, of up to 12 digits behind the point, as texts. */
const decimals = (limit: number) =>
  fc
    .tuple(fc.double({ min: -limit, max: limit, noNaN: true }), fc.integer({ min: 0, max: 12 }))
    .map(([value, digits]) => value.toFixed(digits));

holds(
  'a request that differs in its coordinates only has exactly these, without being parsed',
  500,
  fc.tuple(decimals(90), decimals(180)),
  ([lat, lon]) => {
    const { read, parse } = experiencedReader();
    // Adding 0 turns -0 into 0.
    expect(read(lat, lon)).toEqual({ latitude: Number(lat) + 0, longitude: Number(lon) + 0 });
    expect(parse).toHaveBeenCalledTimes(1);
  },
);

it.each(['-0', '-0.0', '0', '-90', '90.000', '007', '12.123456789012'])('reads %s as it is', (lat) => {
  const { read, parse } = experiencedReader();
  expect(read(lat, '-180')).toEqual({ latitude: Number(lat) + 0, longitude: -180 });
  expect(parse).toHaveBeenCalledTimes(1);
});

it.each([
  ...['', '-', '+1', '--1', '1-', '1.', '.5', '1.2.3', '1e1', '0x1', '1,5', '%31', ' 1', '0001'],
  ...['90.01', '-91', '1.123456789012345', '1/2', '1:2', 'NaN'],
])('leaves %j to what reads all parameters', (lat) => {
  const { read, parse } = experiencedReader();
  read(lat, '2');
  expect(parse).toHaveBeenCalledTimes(2);
});
