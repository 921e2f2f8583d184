// The service in a Fastify 5 app, at /weather, beside the app's own routes:
//
//   npx plumecast demo plumecast-demo
//   node fastify.mjs plumecast-demo
//   curl -H 'X-Api-Key: demo' 'http://127.0.0.1:8080/weather/v2/forecast/statistics?lat=37.3&lon=-79.84&granularity=weekly'
import fastify from 'fastify';
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

const app = fastify();
app.register(
  async (scope) => {
    // The service reads no body: Fastify is not to parse, or to refuse, one before the service says that it takes none.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.all('/*', (request, reply) => {
      reply.hijack();
      weather(request.raw, reply.raw);
    });
  },
  { prefix: '/weather' },
);
app.get('/', (_, reply) => reply.type('text/plain').send('The app\n'));

console.log(await app.listen({ port: Number(process.env.PORT ?? 8080), host: '127.0.0.1' }));

// Requests in flight finish before the store is closed.
const stop = () => app.close().then(() => source.close());
process.once('SIGINT', stop).once('SIGTERM', stop);
