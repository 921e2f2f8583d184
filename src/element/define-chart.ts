import type { Table } from 'apache-arrow';
import { isPlumecastError, OptionError } from '../errors.js';
import type { PanelData } from '../plot/panel-data.js';
import type { ChartError, ChartLoad, ChartSelect, PlumeChart } from './chart-element.js';
import { DRAWING, READING, readLook, readRequest } from './chart-request.js';
import { ChartView } from './chart-view.js';
import { fetchTable } from './fetch-table.js';
import { windowsOf } from './panel-windows.js';

const NAME = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/;

/**
 * Defines the element `<plume-chart>` of a page, or one of another name; one that is defined is left as it is. Elements that
 * are in the page already become charts. Where there are no elements, as on a server, it does nothing, so that a module
 * may call it where it begins: React sets properties only of elements that are defined before they are rendered. Throws
 * OptionError for what is no name of an element.
 *
 * Attributes: `src`, `variable` (slugs with commas), `point` (`47.5,11.1`), `granularity` for members by day,
 * `thresholds` (`0,20`), `heading`, `amounts`, `hide-members`, `height`, `theme` (`light`, `dark`, or as the page).
 * Events: `plume-load`, `plume-error`, `plume-select`. Errors stand in the element in words.
 */
export function definePlumeChart(name = 'plume-chart'): void {
  if (typeof name !== 'string' || !NAME.test(name)) {
    const allowed = 'small letters with a hyphen between them, such as plume-chart';
    throw new OptionError({ subject: 'name', problem: 'is no name of an element', received: name, allowed });
  }
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return;
  customElements.define(name, createChart());
}

/** Creates the class: where there is no page, there is nothing to extend. */
function createChart(): new () => PlumeChart {
  return class extends HTMLElement implements PlumeChart {
    static readonly observedAttributes = [...READING, ...DRAWING];
    #view: ChartView | undefined;
    #table: Table | undefined;
    #headers: Readonly<Record<string, string>> | undefined;
    #panels: readonly PanelData[] = [];
    #request: AbortController | undefined;
    #observer: ResizeObserver | undefined;
    #complete: Promise<void> = Promise.resolve();
    #isScheduled = false;

    get table(): Table | undefined {
      return this.#table;
    }

    set table(table: Table | undefined | null) {
      if (table === this.#table) return;
      this.#table = table ?? undefined;
      this.#reload();
    }

    get headers(): Readonly<Record<string, string>> | undefined {
      return this.#headers;
    }

    set headers(headers: Readonly<Record<string, string>> | undefined | null) {
      this.#headers = headers ?? undefined;
      this.#reload();
    }

    get src(): string {
      return this.getAttribute('src') ?? '';
    }

    set src(src: string | undefined | null) {
      if (src === undefined || src === null) this.removeAttribute('src');
      else this.setAttribute('src', src);
    }

    get complete(): Promise<void> {
      return this.#complete;
    }

    connectedCallback(): void {
      for (const name of ['table', 'headers', 'src'] as const) this.#takeOwn(name);
      this.#view ??= new ChartView(this.attachShadow({ mode: 'open' }), (detail) =>
        this.#dispatch<ChartSelect>('plume-select', detail),
      );
      this.#observer = new ResizeObserver(() => this.#view?.resize());
      this.#observer.observe(this);
      this.#reload();
    }

    disconnectedCallback(): void {
      this.#observer?.disconnect();
      this.#request?.abort();
      this.removeAttribute('aria-busy');
    }

    attributeChangedCallback(name: string, before: string | null, after: string | null): void {
      if (before === after) return;
      if ((DRAWING as readonly string[]).includes(name) && this.#panels.length > 0) this.#draw();
      else this.#reload();
    }

    /** Properties that were set before the element was defined hide the accessors of the class. */
    #takeOwn(name: 'table' | 'headers' | 'src'): void {
      if (!Object.hasOwn(this, name)) return;
      const value = this[name];
      delete (this as Partial<PlumeChart>)[name];
      Object.assign(this, { [name]: value });
    }

    /** Reads again what is asked for, once for all changes of this turn; the request before ends. */
    #reload(): void {
      this.#request?.abort();
      if (!this.isConnected || this.#view === undefined || this.#isScheduled) return;
      this.#isScheduled = true;
      this.#complete = Promise.resolve().then(() => {
        this.#isScheduled = false;
        return this.isConnected ? this.#load() : undefined;
      });
    }

    async #load(): Promise<void> {
      const { signal } = (this.#request = new AbortController());
      const view = this.#view as ChartView;
      try {
        if (this.#table === undefined && this.src === '' && !this.hasAttribute('table')) {
          this.#panels = [];
          view.say('');
          return;
        }
        this.setAttribute('aria-busy', 'true');
        // A chart stays until the next one is there.
        if (this.#table === undefined && this.#panels.length === 0) view.say('Loading…');
        const reader = import('./table-panels.js');
        const request = readRequest(this);
        (await reader).rejectTexts(this);
        const address = { src: this.src, headers: this.#headers, signal };
        const table = this.#table ?? (await fetchTable(address));
        const panels = await (await reader).tablePanels(table, request);
        if (signal.aborted) return;
        this.#panels = panels;
        view.show(panels, readLook(this));
        const windows = Math.max(...panels.map((panel) => windowsOf(panel)?.start.length ?? 0));
        const variables = panels.map(({ texts }) => texts.variable ?? 'values');
        this.#dispatch<ChartLoad>('plume-load', { variables, windows });
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      } finally {
        if (!signal.aborted) this.removeAttribute('aria-busy');
      }
    }

    #draw(): void {
      try {
        this.#view?.show(this.#panels, readLook(this));
      } catch (error) {
        this.#fail(error);
      }
    }

    #fail(error: unknown): void {
      const message = isPlumecastError(error) ? error.message : `The chart cannot be drawn: ${String(error)}`;
      this.#panels = [];
      this.#view?.say(message, true);
      this.#dispatch<ChartError>('plume-error', { message, error });
    }

    #dispatch<Detail>(name: string, detail: Detail): void {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }
  };
}
