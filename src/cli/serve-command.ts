import { Command, InvalidArgumentError, Option } from 'commander';
import { DAY_SECONDS } from '../period/day.js';
import { FORWARDED_HEADERS } from '../service/handler/listener/client-address.node.js';
import { HORIZONS, type HorizonName } from '../variable/availability.js';
import { addCacheOptions } from './archive-options.js';
import { plainNumber, portNumber, rateQuota, textList, timeSpan } from './option-values.js';
import type { ServeOptions } from './serve.js';
import { configOptions, databaseOptions, storeOption } from './shared-options.js';

/** `plumecast serve`: answers requests from a store. */
export function serveCommand(): Command {
  return addCacheOptions(
    new Command('serve')
      .description('Serve a store over HTTP: forecasts, statistics, history and climatology as JSON, CSV and Arrow.')
      .addOption(storeOption())
      .option('--refresh <seconds>', 'the time between two checks for new data', positive, 1)
      .option('--keys <dir>', 'folder with the keys, the locations and their usage (default: the store)')
      .addOption(databaseOptions()[0])
      .addOption(databaseOptions()[1])
      .option(
        '--database-grace <time>',
        'how long known keys go on while the database is away, such as 1h or 0 (default: 1h)',
        timeSpan,
      )
      .option('--host <host>', 'address to listen on; 0.0.0.0 for all addresses of this machine', '127.0.0.1')
      .option('--port <port>', 'port to listen on; 0 for any free port', portNumber, 8080)
      .option('--workers <number>', 'processes that serve, each on a core of its own', workerCount, 1)
      .option('--base-path <path>', 'path of the service, such as /weather (default: the root)')
      .option('--no-explorer', 'no page at the path of the service')
      .option('--no-docs', 'no API reference at /docs')
      .option('--response-cache <megabytes>', 'size of the cache of responses, of each worker', nonNegative, 0)
      .option(
        '--public-cache',
        'answers that are the same for all keys are public, for a cache that checks keys itself',
      )
      .option('--no-compression', 'long answers are sent as they are, for a proxy that compresses them')
      .option(
        '--rate-limit <number/time>',
        'requests that each key may make, such as 600/min; s, min, h or day',
        rateQuota,
      )
      .option('--usage', 'keep what each key uses on each day in the store; in a database it is always kept')
      .option(
        '--unknown-key-limit <number/time>',
        'requests with unknown keys that each address may make of each worker, such as 10/min',
        rateQuota,
      )
      .option(
        '--trusted-proxies <addresses>',
        'proxies whose word for the address of the client is taken: 127.0.0.1,10.0.0.0/8',
        textList,
      )
      .addOption(
        new Option('--forwarded-header <name>', 'the header in which they give it (default: x-forwarded-for)').choices(
          FORWARDED_HEADERS,
        ),
      )
      .option(
        '--max-age <times>',
        'how old runs may be: 12h of the short-term one, or short-term=12h,seasonal=40d; older ones make /ready 503',
        maxAges,
      )
      .option(
        '--metrics-port <port>',
        'port to serve metrics for Prometheus at, as /metrics (default: none)',
        portNumber,
      )
      .option('--metrics-host <host>', 'address to serve them at', '127.0.0.1')
      .option('--log', 'log each request, and all other messages, as a line of JSON on standard error')
      .option('--traces', 'make spans of requests by OpenTelemetry, for the SDK that --import of Node has registered')
      .option('--mcp', 'answer assistants by the Model Context Protocol at /mcp, with the same keys')
      .option(
        '--drain-seconds <seconds>',
        'how long to keep serving after SIGTERM, while /ready already returns 503',
        upToADay,
        5,
      )
      .option(
        '--shutdown-seconds <seconds>',
        'how long requests in flight may take after that, or Ctrl-C',
        upToADay,
        10,
      )
      .addOption(configOptions()[0])
      .addOption(configOptions()[1])
      .addHelpText(
        'after',
        `
Examples:
  $ plumecast serve --store plumecast-demo
  $ plumecast serve --store data --host 0.0.0.0 --port 80 --log
  $ plumecast serve --store data --workers 4
  $ plumecast serve --store data --base-path /weather --response-cache 256
  $ plumecast serve --store data --rate-limit 600/min --metrics-port 9464
  $ plumecast serve --store s3://weather/store --keys access --cache /var/cache/plumecast --cache-size 20GB

Requests send a key, made with plumecast key create, in the header X-Api-Key. The keys of the demo store work only if no
other machine can reach the server. Data that are ingested while it runs are served within seconds. A worker that
ends is replaced; SIGHUP replaces all of them, one after the other.

Each option may also come from the environment, --rate-limit from PLUMECAST_RATE_LIMIT, or from a file (--config).`,
      )
      // Its modules take as long to load as those of all other commands together.
      .action(async (options: ServeOptions) => (await import('./serve.js')).serve(options)),
  );
}

const MAX_WORKERS = 256;

function workerCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX_WORKERS) return count;
  throw new InvalidArgumentError(`Expected a number of processes, 1 to ${MAX_WORKERS}.`);
}

const AGE_UNITS: Readonly<Record<string, number>> = { min: 60, h: 3600, d: DAY_SECONDS };

/** `12h`, or `short-term=12h,seasonal=40d` */
function maxAges(text: string): Partial<Record<HorizonName, number>> {
  const ages: Partial<Record<HorizonName, number>> = {};
  for (const item of text.split(',')) {
    const [, name = HORIZONS[0], number, unit] = /^(?:([a-z-]+)=)?(\d+)(min|h|d)$/.exec(item.trim()) ?? [];
    const horizon = HORIZONS.find((each) => each === name);
    if (horizon === undefined || !(Number(number) >= 1)) {
      throw new InvalidArgumentError(
        'Expected times by horizon, such as 12h or short-term=12h,seasonal=40d; min, h or d.',
      );
    }
    ages[horizon] = Number(number) * AGE_UNITS[unit];
  }
  return ages;
}

function positive(text: string): number {
  const value = plainNumber(text);
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number of more than 0.');
  return value;
}

function nonNegative(text: string): number {
  const value = plainNumber(text);
  if (value < 0) throw new InvalidArgumentError('Expected a number of 0 or more.');
  return value;
}

/** Seconds of a timer: one of some 25 days or more would end at once. */
function upToADay(text: string): number {
  const value = plainNumber(text);
  if (value < 0 || value > 86_400) throw new InvalidArgumentError('Expected a number from 0 to 86400, a day.');
  return value;
}
