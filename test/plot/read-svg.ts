/** Reads what a picture shows back from its SVG, without the code that drew it. */

/** The elements of a name and class, each with its attributes and its content. */
export function elementsOf(svg: string, name: string, className?: string) {
  const found = [...svg.matchAll(new RegExp(`<${name}((?: [\\w:-]+="[^"]*")*)(?:/>|>([^<]*)<)`, 'g'))].map(
    ([, list, text = '']) => ({
      text,
      attributes: Object.fromEntries([...list.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
    }),
  );
  return found.filter(({ attributes }) => className === undefined || attributes.class === className);
}

/** The markup of each panel. */
export function panelsOf(svg: string): string[] {
  return [...svg.matchAll(/<g transform="translate\(0,[\d.]+\)">.*/g)].map(([markup]) => markup);
}

/** The lines of a path, each with its points. */
export function linesOf(d: string): [number, number][][] {
  return d
    .split('M')
    .filter(Boolean)
    .map((line) =>
      line
        .split(/[LZ]/)
        .filter(Boolean)
        .map((point) => point.split(',').map(Number) as [number, number]),
    );
}

/** The value at a height in a panel, by the labels of its axis. */
export function valueAt(panel: string): (y: number) => number {
  const ticks = [...panel.matchAll(/<text x="[\d.]+" y="(-?[\d.]+)">([^<]+)<\/text>/g)].map(([, y, label]) => ({
    y: Number(y) - 4,
    value: Number(label.replace('\u2212', '-').replaceAll(',', '')),
  }));
  const [first, last] = [ticks[0], ticks[ticks.length - 1]];
  return (y) => first.value + ((y - first.y) / (last.y - first.y)) * (last.value - first.value);
}
