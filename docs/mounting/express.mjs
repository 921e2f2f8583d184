// The service in an Express 5 app, at /weather, beside the app's own routes:
//
//   npx plumecast demo plumecast-demo
//   node express.mjs plumecast-demo
//   curl -H 'X-Api-Key: demo' 'http://127.0.0.1:8080/weather/v2/forecast/statistics?lat=37.3&lon=-79.84&granularity=weekly'
import express from 'express';
import { createHandler } from 'plumecast/service';
import { createListener, openKeys, openLocations, openStore } from 'plumecast/service/node';

const folder = process.argv[2] ?? 'plumecast-demo';
const source = await openStore(folder);
const handler = createHandler({
  source,
  keys: await openKeys(folder),
  locations: await openLocations(folder),
  basePath: '/weather',
});

const app = express();
// `all`, as `use` would take /weather off the URL; a pattern, as Express refuses names in paths that it cannot decode; and before
// parsers of bodies, as the service reads none.
app.all(/^\/weather\//, createListener(handler));
app.use(express.json());
app.get('/', (_, response) => {
  response.type('text').send('The app\n');
});

const server = app.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

// Requests in flight finish before the store is closed.
const stop = () => server.close(() => source.close());
process.once('SIGINT', stop).once('SIGTERM', stop);
