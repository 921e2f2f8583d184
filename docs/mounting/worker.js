// The service in a worker (workerd, Cloudflare), at /weather, with a forecast that is held in memory:
//
//   npx esbuild worker.js --bundle --format=esm --conditions=workerd,worker,browser --external:'./*.wasm' --outfile=worker/worker.js
//   cp node_modules/plumecast/dist/plumecast.wasm worker.capnp worker/
//   npx workerd serve worker/worker.capnp
//   curl -H 'X-Api-Key: demo' 'http://127.0.0.1:8080/weather/v2/forecast/statistics?lat=37.3&lon=-79.84&granularity=weekly'

import { dayNumber } from 'plumecast/calendar';
import { generateEnsemble } from 'plumecast/demo';
import { createHandler, memoryDataset, memoryKeys, memorySource } from 'plumecast/service';

const place = { latitude: 37.25, longitude: -79.75 };
const axis = { firstDay: dayNumber(2026, 3, 2), days: 180, members: 31 };

const weather = createHandler({
  source: memorySource({ forecast: demoForecast() }),
  // A key of your own belongs into the worker's secrets, as its hash: see `hashKey`.
  keys: memoryKeys([{ id: 'demo', owner: 'demo', downscaling: false, key: 'demo' }]),
  basePath: '/weather',
});

export default {
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/weather/')) return weather(request);
    return pathname === '/' ? new Response('The app\n') : new Response('Not here\n', { status: 404 });
  },
};

/** Weather made up for one place, as the timeline of a forecast. */
function demoForecast() {
  const { temp_mean, precipitation } = generateEnsemble({ ...place, ...axis, initDate: axis.firstDay });
  const timeline = memoryDataset({
    revision: 'demo-1',
    latitude: Float64Array.of(place.latitude),
    longitude: Float64Array.of(place.longitude),
    variables: {
      temp_mean: { ...axis, values: joined(temp_mean) },
      precipitation: { ...axis, values: joined(precipitation) },
    },
  });
  return { initTime: '2026-03-02T00:00:00Z', version: 'demo-1', generation: 'demo-1', timeline, horizons: {} };
}

/** The members of an ensemble, one after the other. */
function joined(members) {
  const values = new Float32Array(axis.members * axis.days);
  members.forEach((member, m) => {
    values.set(member, m * axis.days);
  });
  return values;
}
