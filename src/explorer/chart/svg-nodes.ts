import { type ChartLayers, LAYERS } from './layers.js';

const SVG = 'http://www.w3.org/2000/svg';
const parser = new DOMParser();

/** Parses markup as XML, in which nothing runs, and gives its nodes to this page. */
export function svgNodes(markup: string): Node[] {
  const { documentElement } = parser.parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, 'image/svg+xml');
  if (documentElement.querySelector('parsererror') !== null) throw new Error('The drawing is not SVG.');
  return Array.from(documentElement.childNodes, (node) => document.importNode(node, true));
}

/** The layers of a chart in the page. */
export class LayerNodes {
  readonly root = document.createElementNS(SVG, 'g');
  readonly #shown = new Map<string, string>();

  constructor() {
    for (const name of LAYERS) {
      const group = document.createElementNS(SVG, 'g');
      group.dataset.layer = name;
      this.root.append(group);
    }
  }

  /** Shows layers; those that have not changed are left alone. */
  show(markup: ChartLayers['markup']): void {
    LAYERS.forEach((name, i) => {
      if (this.#shown.get(name) === markup[name]) return;
      this.#shown.set(name, markup[name]);
      (this.root.childNodes[i] as Element).replaceChildren(...svgNodes(markup[name]));
    });
  }
}
