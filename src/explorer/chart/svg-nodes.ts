import { type ChartLayers, LAYERS } from './layers.js';

const SVG = 'http://www.w3.org/2000/svg';
const parser = new DOMParser();

/** Parses markup as XML, in which nothing runs, and gives its nodes to this page. */
function svgNodes(markup: string): Node[] {
  const { documentElement } = parser.parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, 'image/svg+xml');
  if (documentElement.querySelector('parsererror') !== null) throw new Error('The drawing is not SVG.');
  return Array.from(documentElement.childNodes, (node) => document.importNode(node, true));
}

/** The attributes of elements as `element` of the plots writes them: texts have no quotation marks. */
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;

/**
 * An element whose content is markup. Where only values of attributes change, such as the points of lines, these are
 * set in the elements that are there: to parse takes several times as long.
 */
export class MarkupNode {
  readonly node: SVGElement;
  #markup = '';
  #frame = '';
  #values: readonly string[] = [];

  constructor(node: SVGElement = document.createElementNS(SVG, 'g')) {
    this.node = node;
  }

  /** Shows markup; what has not changed is left alone. */
  show(markup: string): void {
    if (markup === this.#markup) return;
    const names: string[] = [];
    const values: string[] = [];
    const frame = markup.replace(ATTRIBUTE, (_, name: string, value: string) => {
      names.push(name);
      values.push(value);
      return ` ${name}`;
    });
    if (frame === this.#frame && !markup.includes('&')) this.#change(names, values);
    else this.node.replaceChildren(...svgNodes(markup));
    this.#markup = markup;
    this.#frame = frame;
    this.#values = values;
  }

  /** Sets the attributes that differ. Those of each element are in the order of the markup. */
  #change(names: readonly string[], values: readonly string[]): void {
    let at = 0;
    for (const element of Array.from(this.node.querySelectorAll('*'))) {
      for (const end = at + element.attributes.length; at < end; at++) {
        if (values[at] !== this.#values[at]) element.setAttribute(names[at], values[at]);
      }
    }
  }
}

/** The layers of a chart in the page. */
export class LayerNodes {
  readonly root = document.createElementNS(SVG, 'g');
  readonly #layers = LAYERS.map((name) => ({ name, content: new MarkupNode() }));

  constructor() {
    this.root.append(...this.#layers.map(({ content }) => content.node));
  }

  /** Shows layers; those that have not changed are left alone. */
  show(markup: ChartLayers['markup']): void {
    for (const { name, content } of this.#layers) content.show(markup[name]);
  }
}
