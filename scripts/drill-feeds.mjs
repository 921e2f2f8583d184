/** The feeds of the drill: forecasts and a history, and what the library makes of their files. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dayNumber } from '../dist/calendar.js';
import { demoTables } from '../dist/demo.js';
import { encodeTable } from '../dist/files.js';
import { loadCore, statistics } from '../dist/index.js';

const FIRST = dayNumber(2026, 3, 2);
const LOCATIONS = [37, 37.25, 37.5].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
/** Half of the last decimal that answers have, and a little more. */
const TOLERANCES = { temp_mean: 0.00501, precipitation: 0.0501 };
const SLUGS = Object.keys(TOLERANCES);

const dateOf = (day) => new Date(day * 86_400_000).toISOString().slice(0, 10);

export class DrillFeeds {
  /** Of each run, by its time of issue, the statistics of the library: by slug, place and period. */
  #runs = new Map();
  /** Of each day of the history, the values by slug and place. */
  #days = new Map();
  #children = new Set();
  #isOver = false;
  #aheadMs = 0;
  #counts = { published: 0, killed: 0, failed: 0 };
  #lastRun;

  constructor(core, options) {
    Object.assign(this, { core, ...options });
  }

  static async create(options) {
    return new DrillFeeds(await loadCore(), options);
  }

  /** Publishes the first run and the history before it. */
  async begin() {
    const args = [...(await this.#forecast(0)), ...(await this.#history(FIRST - 30, 30))];
    if ((await this.#ingest(args)) !== 0) throw new Error('the first ingest failed');
  }

  /** Feeds until `end`: runs, and days of the history, at the same time. */
  async run() {
    const forecasts = async () => {
      for (let run = 1; !this.#isOver; ) {
        const args = await this.#forecast(run);
        if ((await this.#ingest(args)) === 0) {
          this.#lastRun = run;
          run++;
        } else await wait(300);
      }
    };
    const history = async () => {
      for (let day = FIRST; !this.#isOver; ) {
        const args = await this.#history(day, 1);
        if ((await this.#ingest(args)) === 0) day++;
        else await wait(300);
      }
    };
    await Promise.all([forecasts(), history()]);
  }

  async end() {
    this.#isOver = true;
    while (this.#children.size > 0) await wait(50);
  }

  /** Kills what feeds at this moment. */
  kill() {
    for (const child of this.#children) {
      child.kill('SIGKILL');
      this.#counts.killed++;
    }
  }

  /** The clock of feeds that begin from now on. */
  shiftClock(ms) {
    this.#aheadMs = ms;
  }

  summary() {
    const { published, killed, failed } = this.#counts;
    return `${published} updates were published, ${killed} killed, ${failed} failed and were made again`;
  }

  /** A request, and what is wrong with an answer to it. */
  request(number) {
    const at = number % LOCATIONS.length;
    const { latitude, longitude } = LOCATIONS[at];
    const point = `lat=${latitude}&lon=${longitude}`;
    if (number % 3 === 0) {
      const path = `/v2/history?${point}&var=temp_mean,precipitation`;
      return { path, problemOf: (body) => this.#historyProblem(body, at) };
    }
    const path = `/v2/forecast/statistics?${point}&var=temp_mean,precipitation&granularity=weekly`;
    return { path, problemOf: (body) => this.#forecastProblem(body, at) };
  }

  /** Requests whose answers must be of the last run. */
  newestRequests() {
    const newest = initTimeOf(this.#lastRun);
    return LOCATIONS.map((_, at) => {
      const { path } = this.request(3 * LOCATIONS.length + at + (at % 3 === 0 ? LOCATIONS.length * 2 + 1 : 0));
      const place = LOCATIONS.findIndex(({ latitude, longitude }) =>
        path.includes(`lat=${latitude}&lon=${longitude}&`),
      );
      const problemOf = (body) =>
        body.init_time !== undefined && body.init_time !== newest
          ? `is of ${body.init_time} in place of ${newest}`
          : body.init_time === undefined
            ? this.#historyProblem(body, place)
            : this.#forecastProblem(body, place);
      return { path, problemOf };
    });
  }

  #forecastProblem({ init_time: time, variables }, at) {
    const run = this.#runs.get(time);
    if (run === undefined) return `is of an unknown run ${time}`;
    for (const slug of SLUGS) {
      const given = variables[slug]?.statistics ?? {};
      const expected = run[slug][at];
      const periods = Object.keys(given);
      if (periods.length !== expected.size)
        return `has ${periods.length} weeks of ${slug} in place of ${expected.size}`;
      for (const period of periods) {
        for (const [name, value] of Object.entries(given[period])) {
          const right = expected.get(period)?.[name];
          if (!(Math.abs(value - right) <= TOLERANCES[slug]))
            return `${slug} ${period} ${name}: ${value} in place of ${right}`;
        }
      }
    }
    return undefined;
  }

  #historyProblem({ data }, at) {
    for (const slug of SLUGS) {
      const given = Object.entries(data[slug]?.values ?? {});
      if (given.length < 30) return `has ${given.length} days of ${slug}`;
      for (const [date, value] of given) {
        const right = this.#days.get(date)?.[slug][at];
        if (!(Math.abs(value - right) <= TOLERANCES[slug])) return `${slug} ${date}: ${value} in place of ${right}`;
      }
    }
    return undefined;
  }

  /** Writes the files of a run, and returns the arguments of its ingest. */
  async #forecast(run) {
    const tables = demoTables({ locations: LOCATIONS, members: 5, days: 15, initDate: FIRST + run, seed: run + 1 });
    const expected = {};
    for (const slug of SLUGS) {
      const table = statistics(this.core, tables[slug], { granularity: 'weekly' });
      expected[slug] = LOCATIONS.map(() => new Map());
      for (const row of table) {
        const at = LOCATIONS.findIndex(
          ({ latitude, longitude }) => latitude === row.latitude && longitude === row.longitude,
        );
        const { period, mean, q05, q25, q50, q75, q95 } = row.toJSON();
        expected[slug][at].set(period, { mean, q05, q25, q50, q75, q95 });
      }
    }
    this.#runs.set(initTimeOf(run), expected);
    const files = await this.#write(`run-${run}`, tables);
    return ['--short-term', ...files, '--init-time', initTimeOf(run), '--generation', `run-${run}`];
  }

  /** Writes the files of some days, and returns the arguments of their ingest. */
  async #history(day, days) {
    const tables = demoTables({ locations: LOCATIONS, members: 1, days, initDate: day, seed: 1000 + day });
    for (const slug of SLUGS) {
      const table = statistics(this.core, tables[slug], { granularity: 'daily' });
      for (const row of table) {
        const { latitude, longitude, period, mean } = row.toJSON();
        const known = this.#days.get(period) ?? Object.fromEntries(SLUGS.map((name) => [name, []]));
        this.#days.set(period, known);
        known[slug][LOCATIONS.findIndex((each) => latitude === each.latitude && longitude === each.longitude)] = mean;
      }
    }
    return ['--history', ...(await this.#write(`history-${dateOf(day)}`, tables))];
  }

  #write(name, tables) {
    return Promise.all(
      SLUGS.map(async (slug) => {
        const file = `${name}-${slug}.arrow`;
        writeFileSync(join(this.folder, file), await encodeTable(tables[slug], 'arrow'));
        return file;
      }),
    );
  }

  async #ingest(args) {
    const shift = `const D = Date; globalThis.Date = class extends D { constructor(...a) { a.length ? super(...a) : super(D.now() + ${this.#aheadMs}); } static now() { return D.now() + ${this.#aheadMs}; } };`;
    const node = this.#aheadMs === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(shift)}`];
    const command = [...node, this.cli, 'ingest', '-q', '--store', this.store, ...args];
    const child = spawn(process.execPath, command, { env: this.env, cwd: this.folder });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    this.#children.add(child);
    const [code, signal] = await new Promise((done) => child.once('close', (...how) => done(how)));
    this.#children.delete(child);
    if (code === 0) this.#counts.published++;
    else if (signal === null) this.#counts.failed++;
    for (const secret of ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID']) {
      if (said.includes(this.env[secret])) this.fault(`an ingest shows ${secret}`);
    }
    if (code === 1 && !/cannot be|was taken over|server answers/.test(said)) this.fault(`an ingest failed: ${said}`);
    return code;
  }
}

function initTimeOf(run) {
  return `${dateOf(FIRST + run)}T00:00:00Z`;
}
