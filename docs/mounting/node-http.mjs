// The service in a server of node:http, at /weather, beside what else the server does:
//
//   npx plumecast demo plumecast-demo
//   node node-http.mjs plumecast-demo
//   curl -H 'X-Api-Key: demo' 'http://127.0.0.1:8080/weather/v2/forecast/statistics?lat=37.3&lon=-79.84&granularity=weekly'
import { createServer } from 'node:http';
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
const weather = createListener(handler);

const server = createServer((request, response) => {
  if (request.url.startsWith('/weather/')) weather(request, response);
  else if (request.url === '/') response.end('The app\n');
  else response.writeHead(404).end('Not here\n');
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

// Requests in flight finish before the store is closed.
const stop = () => server.close(() => source.close());
process.once('SIGINT', stop).once('SIGTERM', stop);
