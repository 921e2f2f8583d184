// The service in a Hono app, at /weather, beside the app's own routes:
//
//   npx plumecast demo plumecast-demo
//   node hono.mjs plumecast-demo
//   curl -H 'X-Api-Key: demo' 'http://127.0.0.1:8080/weather/v2/forecast/statistics?lat=37.3&lon=-79.84&granularity=weekly'
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createHandler } from 'plumecast/service';
import { openKeys, openLocations, openStore } from 'plumecast/service/node';

const folder = process.argv[2] ?? 'plumecast-demo';
const source = await openStore(folder);
const handler = createHandler({
  source,
  keys: await openKeys(folder),
  locations: await openLocations(folder),
  basePath: '/weather',
});

const app = new Hono();
app.all('/weather/*', (context) => handler(context.req.raw));
app.get('/', (context) => context.text('The app\n'));

const options = { fetch: app.fetch, port: Number(process.env.PORT ?? 8080), hostname: '127.0.0.1' };
const server = serve(options, ({ port }) => console.log(`http://127.0.0.1:${port}`));

// Requests in flight finish before the store is closed.
const stop = () => server.close(() => source.close());
process.once('SIGINT', stop).once('SIGTERM', stop);
