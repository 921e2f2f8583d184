import { tableFromIPC } from 'apache-arrow';
import { definePlumeChart, type PlumeChart } from 'plumecast/element';

/** What tests call in the page; tables come as Arrow bytes beside it. */
const tools = {
  define: () => definePlumeChart(),
  async table(name: string) {
    return tableFromIPC(new Uint8Array(await (await fetch(name)).arrayBuffer()));
  },
  /** Adds an element, and waits for what it shows. */
  async add(attributes: Readonly<Record<string, string>>, table?: string, headers?: Record<string, string>) {
    const chart = document.createElement('plume-chart') as PlumeChart;
    for (const [name, value] of Object.entries(attributes)) chart.setAttribute(name, value);
    if (table !== undefined) chart.table = await tools.table(table);
    if (headers !== undefined) chart.headers = headers;
    document.body.append(chart);
    await chart.complete;
  },
  /** The milliseconds from a table to the chart in the page, in a page that has loaded its scripts. */
  async time(table: string) {
    const given = await tools.table(table);
    const chart = document.createElement('plume-chart') as PlumeChart;
    document.body.append(chart);
    const begin = performance.now();
    chart.table = given;
    await chart.complete;
    chart.getBoundingClientRect();
    return performance.now() - begin;
  },
  events: [] as { type: string; detail: unknown }[],
};

for (const type of ['plume-load', 'plume-error', 'plume-select']) {
  document.addEventListener(type, (event) => {
    const { error: _, ...detail } = (event as CustomEvent).detail;
    tools.events.push({ type, detail });
  });
}

Object.assign(window, { tools });
