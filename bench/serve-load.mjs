/** The load generator of `serve.ts`: requests points of its grid from a server, in a process of its own. */
import autocannon from 'autocannon';

const [port, points, cells, duration, connections] = process.argv.slice(2, 7).map(Number);
const headers = { 'x-api-key': process.argv[7] };
const side = Math.ceil(Math.sqrt(cells));
/** Requests of each connection, made beforehand so that their making is not measured. */
const REQUESTS = 500;

/** A request for a point near one of the first cells of the grid. */
function randomPath() {
  const cell = Math.floor(Math.random() * points);
  const latitude = -30 + Math.floor(cell / side) * 0.25 + 0.05;
  const longitude = -120 + (cell % side) * 0.25 - 0.05;
  const point = `lat=${latitude.toFixed(2)}&lon=${longitude.toFixed(2)}`;
  return `/v2/forecast/statistics?${point}&var=precipitation&granularity=weekly`;
}

// This process never sleeps: on virtual machines, waking a process costs the one that sends to it.
let isOver = false;
const stayAwake = () => isOver || setImmediate(stayAwake);
stayAwake();

const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration,
  setupClient(client) {
    client.setRequests(Array.from({ length: REQUESTS }, () => ({ headers, path: randomPath() })));
  },
});
isOver = true;
if (result.non2xx > 0 || result.errors > 0)
  throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`);
console.log(JSON.stringify({ requests: result.requests.total, seconds: result.duration }));
