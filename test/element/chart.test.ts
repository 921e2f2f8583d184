import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DateDay, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import type { PlumeChart } from '../../src/element/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { textFaults } from '../plot/text-faults.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { useElementPages } from './open-element.js';

if (chromiumAbsent) console.log(`skipped: plume-chart in Chromium: ${chromiumAbsent}`);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const core = await loadCore();

describe.skipIf(chromiumAbsent)('plume-chart', () => {
  const pages = useElementPages();
  beforeAll(() => {
    const rain = demoTable('precipitation', { days: 15, members: 9 });
    const put = (name: string, table: Table) => pages.files.set(name, tableToIPC(table, 'stream'));
    put('results.arrow', statistics(core, rain));
    put('members.arrow', rain);
    put('empty.arrow', statistics(core, rain).slice(0, 0));
    put('numbers.arrow', new Table({ a: vectorFromArray(Float64Array.of(1, 2)) }));
    pages.files.set('cut.arrow', (pages.files.get('results.arrow') as Uint8Array).slice(0, 700));
    pages.files.set(
      'noise.arrow',
      Uint8Array.from({ length: 400 }, (_, i) => (i * 89) % 251),
    );
    pages.files.set('page.html', '<h1>Sign in</h1>');
  });

  const chart = (page: Page) => page.locator('plume-chart');
  const words = (page: Page) => chart(page).locator('.words');
  const add = (page: Page, attributes: Record<string, string>, table?: string, headers?: Record<string, string>) =>
    page.evaluate(([a, t, h]) => window.tools.add(a, t, h), [attributes, table, headers] as const);
  const eventsOf = (page: Page, type: string) =>
    page.evaluate((name) => window.tools.events.flatMap((event) => (event.type === name ? [event.detail] : [])), type);

  it('draws a table, says what is pointed at, and has the values as a table of the page', async () => {
    const page = await pages.open();
    await add(page, {}, 'results.arrow');
    expect(await eventsOf(page, 'plume-load')).toEqual([{ variables: ['precipitation'], windows: 15 }]);
    expect(await chart(page).locator('svg .whisker').count()).toBeGreaterThan(0);
    expect(await words(page).textContent()).toContain('use the arrow keys');
    const plot = chart(page).locator('.plot');
    const box = (await plot.boundingBox()) as NonNullable<Awaited<ReturnType<typeof plot.boundingBox>>>;
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
    const sentence = (await words(page).textContent()) ?? '';
    expect(sentence).toMatch(
      /^\w+day 1[01] March 2026: median [\d.]+ mm; 5 to 95 %: [\d.]+ to [\d.]+ mm; mean [\d.]+ mm\.$/,
    );
    const selected = await eventsOf(page, 'plume-select');
    expect(selected.at(-1)).toEqual({
      start: expect.stringMatching(/^2026-03-1[01]$/),
      end: expect.any(String),
      text: sentence,
    });
    expect(await chart(page).locator('.cursor').count()).toBe(1);
    await page.mouse.move(1, 790);
    expect(await chart(page).locator('.cursor').count()).toBe(0);
    await chart(page).locator('summary').click();
    const table = chart(page).locator('table');
    // The table is filled when the page says that it was opened, which is after the click.
    await expect
      .poll(() => table.locator('thead th').allTextContents())
      .toEqual(['period', 'mean', '5 %', '25 %', '50 %', '75 %', '95 %']);
    expect(await table.locator('tbody tr').count()).toBe(15);
    const median = /median ([\d.]+)/.exec(sentence)?.[1];
    const day = sentence.slice(0, sentence.indexOf(':'));
    const cells = table.locator('tbody tr', { hasText: day }).locator('td');
    expect(await cells.nth(3).textContent()).toBe(median);
    expect(pages.faults).toEqual([]);
  });

  it('is read by the keyboard alone', async () => {
    const page = await pages.open();
    await add(page, {}, 'results.arrow');
    await page.keyboard.press('Tab');
    const slider = page.getByRole('slider');
    expect(await slider.evaluate((own) => (own.getRootNode() as ShadowRoot).activeElement === own)).toBe(true);
    const said = async (key: string) => {
      await page.keyboard.press(key);
      return slider.getAttribute('aria-valuetext');
    };
    expect(await said('ArrowRight')).toContain('Monday 2 March 2026: median');
    expect(await said('ArrowRight')).toContain('Tuesday 3 March 2026');
    expect(await said('End')).toContain('Monday 16 March 2026');
    expect(await said('PageDown')).toContain('Friday 6 March 2026');
    expect(await said('Home')).toContain('Monday 2 March 2026');
    expect(await said('Escape')).toContain('no window chosen');
    expect(await slider.getAttribute('aria-label')).toBe('precipitation (mm), daily: choose a window');
  });

  it('computes and draws members of an Arrow file, by day and by week', async () => {
    const page = await pages.open();
    await add(page, { src: 'members.arrow' });
    expect(await chart(page).locator('svg .members').count()).toBeGreaterThan(0);
    await chart(page).evaluate((own: PlumeChart) => {
      own.setAttribute('granularity', 'weekly');
      own.setAttribute('hide-members', '');
      own.setAttribute('thresholds', '20,40');
      return own.complete;
    });
    expect(await chart(page).locator('svg .heading').textContent()).toBe('precipitation (mm), weekly sums');
    expect(await chart(page).locator('svg .members').count()).toBe(0);
    expect(await chart(page).locator('svg .threshold-text').allTextContents()).toEqual(['20', '40']);
    expect(pages.faults).toEqual([]);
  });

  it('draws answers of the service, a panel for each variable, and says its errors', async () => {
    const page = await pages.open();
    const query = '/v2/forecast/statistics?lat=37.3&lon=-80&granularity=weekly&statistics=0.1,0.5,0.9';
    const key = { 'X-Api-Key': 'a key' };
    await add(page, { src: query }, undefined, key);
    expect(await chart(page).locator('svg .heading').allTextContents()).toEqual([
      ...['temp mean (°C), weekly means', 'precipitation (mm), weekly sums'],
    ]);
    await page.locator('plume-chart').evaluate((own: PlumeChart) => {
      own.setAttribute('variable', 'temp_mean');
      return own.complete;
    });
    expect(await chart(page).locator('svg .heading').allTextContents()).toEqual(['temp mean (°C), weekly means']);
    for (const [src, headers, said] of [
      [query, undefined, /the answer is 401/],
      [query.replace('37.3', '0'), key, /the answer is 404 Not Found: .{10}/],
      [query.replace('weekly', 'yearly'), key, /the answer is 400.*granularity/],
      [`${query}&variables=nothing`, key, /the answer is 400/],
    ] as const) {
      await page.locator('plume-chart').evaluate((own) => own.remove());
      await add(page, { src }, undefined, headers as Record<string, string> | undefined);
      expect(await words(page).textContent()).toMatch(said);
      expect(await words(page).getAttribute('role')).toBe('alert');
      expect((await eventsOf(page, 'plume-error')).at(-1)?.message).toMatch(said);
    }
    // Members of each day, too.
    await page.locator('plume-chart').evaluate((own) => own.remove());
    await add(page, { src: '/v2/forecast?lat=37.3&lon=-80', variable: 'precipitation' }, undefined, key);
    expect(await chart(page).locator('svg .heading').allTextContents()).toEqual(['precipitation (mm), daily']);
    expect(pages.faults).toEqual([]);
  });

  it('says in words what is wrong with a source or an attribute', async () => {
    const page = await pages.open();
    const cases = [
      [{ src: 'empty.arrow' }, 'empty.arrow: has no rows; allowed: at least one row'],
      [{ src: 'numbers.arrow' }, /^table: .*; received .*allowed: /],
      [{ src: 'cut.arrow' }, /^cut\.arrow/],
      [{ src: 'noise.arrow' }, /^noise\.arrow/],
      [{ src: 'page.html' }, /^page\.html: is no Arrow file; received "text\/html"/],
      [{ src: 'absent.arrow' }, /^absent\.arrow: the answer is 404/],
      [{ src: 'http://127.0.0.1:1/x.arrow' }, /^x\.arrow: cannot be fetched; allowed: /],
      [{ src: 'http://[' }, /^src: cannot be used; received "http:\/\/\["/],
      [
        { src: 'results.arrow', variable: 'snow' },
        'variable: the table does not have it; received "snow"; allowed: precipitation',
      ],
      [
        { src: 'results.arrow', point: 'here' },
        /^point: cannot be used; received "here"; allowed: latitude and longitude/,
      ],
      [{ src: 'results.arrow', granularity: 'hourly' }, /^granularity: cannot be used/],
      [
        { src: 'results.arrow', amounts: 'pies' },
        /^amounts: cannot be used; received "pies"; allowed: boxes, bars, bands/,
      ],
      [{ src: 'results.arrow', height: 'tall' }, /^height: cannot be used/],
      [{ src: 'results.arrow', thresholds: '1,two' }, /^thresholds: cannot be used; received "two"/],
    ] as const;
    for (const [i, [attributes, said]] of cases.entries()) {
      await page.evaluate(() => document.querySelector('plume-chart')?.remove());
      await add(page, attributes);
      const text = (await words(page).textContent()) ?? '';
      if (typeof said === 'string') expect(text).toBe(said);
      else expect(text).toMatch(said);
      expect((await eventsOf(page, 'plume-error')).map(({ message }) => message)[i]).toBe(text);
      expect(await chart(page).locator('svg').count()).toBe(0);
    }
    expect(await eventsOf(page, 'plume-load')).toEqual([]);
    expect(pages.faults.filter((fault) => !/Content Security Policy|ERR_|Fetch API/.test(fault))).toEqual([]);
  });

  it('says in words that a table of a program has no rows, or is none', async () => {
    const page = await pages.open();
    await page.evaluate(async () => {
      const chart = document.createElement('plume-chart') as PlumeChart;
      document.body.append(chart);
      chart.table = (await window.tools.table('results.arrow')).slice(0, 0);
      await chart.complete;
    });
    expect(await words(page).textContent()).toBe('table: has no rows; allowed: results, or members by day');
    await chart(page).evaluate((own: PlumeChart) => {
      own.table = [1, 2] as never;
      return own.complete;
    });
    expect(await words(page).textContent()).toContain('table: cannot be used');
    // It is drawn once it has something to draw, and empty without anything.
    await chart(page).evaluate(async (own: PlumeChart) => {
      own.table = await window.tools.table('results.arrow');
      await own.complete;
    });
    expect(await chart(page).locator('svg').count()).toBe(1);
    expect(await words(page).getAttribute('role')).toBeNull();
    await chart(page).evaluate((own: PlumeChart) => {
      own.table = undefined;
      return own.complete;
    });
    expect(await chart(page).locator('svg').count()).toBe(0);
    expect(await words(page).textContent()).toBe('');
  });

  it('draws days of a variable that no registry knows, in the units of the data', async () => {
    const rain = demoTable('precipitation', { days: 6, members: 3 });
    const date = rain.getChild('date')?.toArray() as Int32Array;
    const columns = Object.fromEntries(
      ['m0', 'm1', 'm2'].map((name, m) => [name, Float64Array.from(date, (_, day) => 10 + day + m)]),
    );
    const own = new Table({
      date: vectorFromArray(Array.from(date), new DateDay()),
      variable: vectorFromArray(Array.from(date, () => 'snow_depth')),
      units: vectorFromArray(Array.from(date, () => 'cm')),
      ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, vectorFromArray(values)])),
    });
    pages.files.set('snow.arrow', tableToIPC(own, 'stream'));
    const page = await pages.open();
    await add(page, { src: 'snow.arrow' });
    expect(await chart(page).locator('svg .heading').allTextContents()).toEqual(['snow depth (cm), daily']);
    expect(await chart(page).locator('svg').count()).toBe(1);
  });

  it('shows hostile names of files as texts', async () => {
    const page = await pages.open();
    const name = '<img src=x onerror="window.hurt=1"></svg><script>window.hurt=1</script>';
    const given = statistics(core, demoTable('temp_mean', { days: 5, members: 3 }));
    const texts = new Map(given.schema.metadata).set('version', name).set('init_time', name);
    const schema = given.schema.constructor as new (fields: unknown, metadata: unknown) => typeof given.schema;
    const variable = Array.from({ length: 5 }, () => name);
    const columns = Object.fromEntries(given.schema.fields.map((field) => [field.name, given.getChild(field.name)]));
    const table = new Table({
      ...columns,
      variable: vectorFromArray(variable),
      units: vectorFromArray(variable),
    } as never);
    pages.files.set(
      'hostile.arrow',
      tableToIPC(new Table(new schema(table.schema.fields, texts), table.batches), 'stream'),
    );
    await add(page, { src: 'hostile.arrow', heading: name });
    await chart(page).locator('summary').click();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    expect(await chart(page).locator('caption').textContent()).toContain('<img src=x');
    expect(await words(page).textContent()).toContain('<img src=x');
    expect(await chart(page).locator('img, script').count()).toBe(0);
    expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
    expect(pages.faults).toEqual([]);
  });

  it('takes what was set before it was defined', async () => {
    const page = await pages.open({ isDefined: false });
    await page.evaluate(async () => {
      const chart = document.createElement('plume-chart') as PlumeChart;
      document.body.append(chart);
      chart.table = await window.tools.table('results.arrow');
      window.tools.define();
      await chart.complete;
    });
    expect(await eventsOf(page, 'plume-load')).toHaveLength(1);
    expect(await chart(page).locator('svg').count()).toBe(1);
  });

  it('shows the last of several addresses, and ends the requests before', async () => {
    const page = await pages.open();
    await page.evaluate(() => document.body.append(document.createElement('plume-chart')));
    for (const [before, name] of ['members', 'numbers', 'results'].entries()) {
      await page.evaluate((name) => {
        const chart = document.querySelector('plume-chart') as PlumeChart;
        chart.src = `slow/${name}.arrow`;
      }, name);
      await expect.poll(() => pages.slow.requested.length).toBe(before + 1);
    }
    const attach = page.evaluate(() => (document.querySelector('plume-chart') as PlumeChart).complete);
    await expect.poll(() => pages.slow.aborted.toSorted()).toEqual(['slow/members.arrow', 'slow/numbers.arrow']);
    pages.slow.release();
    await attach;
    expect(pages.slow.requested).toEqual(['slow/members.arrow', 'slow/numbers.arrow', 'slow/results.arrow']);
    expect(await eventsOf(page, 'plume-load')).toHaveLength(1);
    expect(await eventsOf(page, 'plume-error')).toEqual([]);
    // Several changes of one turn are one request.
    await page.evaluate(() => {
      const chart = document.querySelector('plume-chart') as PlumeChart;
      for (const name of ['a', 'b', 'c']) chart.src = `slow/${name}.arrow`;
    });
    await expect.poll(() => pages.slow.requested.length).toBe(4);
    expect(pages.slow.requested[3]).toBe('slow/c.arrow');
  });

  it('ends its request when it is removed, and reads again when it comes back', async () => {
    const page = await pages.open();
    await page.evaluate(() => {
      const chart = document.createElement('plume-chart') as PlumeChart;
      chart.src = 'slow/results.arrow';
      document.body.append(chart);
    });
    await expect.poll(() => pages.slow.requested.length).toBe(1);
    expect(await chart(page).getAttribute('aria-busy')).toBe('true');
    expect(await words(page).textContent()).toBe('Loading…');
    const handle = await chart(page).elementHandle();
    await page.evaluate((own) => own?.remove(), handle);
    await expect.poll(() => pages.slow.aborted).toContain('slow/results.arrow');
    pages.slow.release();
    expect(await page.evaluate(() => window.tools.events.length)).toBe(0);
    const back = page.evaluate((own) => {
      document.body.append(own as PlumeChart);
      return (own as PlumeChart).complete;
    }, handle);
    await expect.poll(() => pages.slow.requested.length).toBe(2);
    pages.slow.release();
    await back;
    expect(await eventsOf(page, 'plume-load')).toHaveLength(1);
    expect(await chart(page).getAttribute('aria-busy')).toBeNull();
    expect(pages.faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('fits its box and its texts at 360, 768 and 1,280 pixels, %s', async (theme) => {
    const page = await pages.open({ width: 1280 });
    await add(page, { theme, heading: 'A place with a name that is long enough to be wrapped' }, 'results.arrow');
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => chart(page).locator('svg').getAttribute('viewBox')).toMatch(`0 0 ${width - 16} `);
      expect(await textFaults(page, 'svg')).toEqual([]);
      const { width: drawn } = (await chart(page).locator('svg').boundingBox()) ?? { width: 0 };
      expect(drawn).toBe(width - 16);
    }
    const ground = await chart(page).evaluate((own) => getComputedStyle(own).backgroundColor);
    expect(ground).toBe(theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(18, 18, 18)');
  });

  it('has nothing that axe finds serious, with its table open, in both themes', async () => {
    for (const theme of ['light', 'dark']) {
      const page = await pages.open({ width: 360 });
      await add(page, { theme }, 'results.arrow');
      await chart(page).locator('summary').click();
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
        interface Violation {
          readonly id: string;
          readonly impact: string;
        }
        const { violations } = await axe.run();
        return violations.flatMap(({ id, impact }) => (/serious|critical/.test(impact) ? [id] : []));
      });
      expect(found, theme).toEqual([]);
    }
  });

  it('has the colours of variables of the page', async () => {
    const page = await pages.open();
    await add(page, {}, 'results.arrow');
    await page.evaluate(() => document.documentElement.style.setProperty('--plume-median', 'rgb(1, 2, 3)'));
    const stroke = await chart(page)
      .locator('svg path.median')
      .first()
      .evaluate((own) => getComputedStyle(own).stroke);
    expect(stroke).toBe('rgb(1, 2, 3)');
  });

  it('works in React 19: properties, events, and when it goes and comes back', async () => {
    const page = await pages.open({ script: 'react-page' });
    await expect.poll(() => page.locator('output').textContent()).toBe('15 windows');
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('output').textContent()).toContain('Monday 2 March 2026: median');
    await page.getByRole('button').click();
    expect(await chart(page).count()).toBe(0);
    await page.getByRole('button').click();
    await expect.poll(() => page.locator('output').textContent()).toBe('15 windows');
    expect(pages.faults).toEqual([]);
  });

  it('has what React sets at its first render, and says what came as a text because it was defined later', async () => {
    const page = await pages.open({ script: 'react-first' });
    const said = async () => (await page.locator('output').textContent())?.split(',').sort();
    await expect.poll(said).toEqual(['15 of a table', '28 with a key']);
    await expect.poll(() => page.locator('section plume-chart svg').count()).toBe(1);
    await expect
      .poll(() => page.locator('main late-chart .words').textContent())
      .toMatch(/^table: is a text, as an attribute; received ".*"; allowed: .*define the element before/);
  });
});
