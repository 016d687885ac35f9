/** The elements of a chart, for tests of their positions. */
export interface Shape {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Its own text, with entities unparsed. */
  text: string;
}

const PIECE = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;

/**
 * All elements in order.
 *
 * @throws {Error} If the markup is invalid or not nested correctly.
 */
export function shapesOf(svg: string): Shape[] {
  const shapes: Shape[] = [];
  const open: Shape[] = [];
  let end = 0;
  for (const match of svg.matchAll(PIECE)) {
    end += match[0].length;
    take(match, shapes, open);
  }
  if (end < svg.length || open.length > 0) throw new Error(`invalid markup from ${end} on: ${svg}`);
  return shapes;
}

/** A text, an end tag, or a start tag, which may be self-closing. */
function take(
  [piece, closes, name, written = '', closed]: RegExpExecArray,
  shapes: Shape[],
  open: Shape[],
): void {
  const inner = open.at(-1);
  if (name === undefined) {
    if (!inner) throw new Error(`text outside of all elements: ${piece}`);
    inner.text += piece;
  } else if (closes) {
    if (open.pop()?.name !== name) throw new Error(`${piece} closes another element`);
  } else {
    const shape = { name, attributes: attributesOf(written), text: '' };
    shapes.push(shape);
    if (!closed) open.push(shape);
  }
}

function attributesOf(written: string): Shape['attributes'] {
  const pairs = [...written.matchAll(/([\w:-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]));
}

/** The elements with a class. */
export function ofClass(svg: string, kind: string): Shape['attributes'][] {
  return shapesOf(svg)
    .map(({ attributes }) => attributes)
    .filter((attributes) => attributes['class'] === kind);
}

/** The texts of a chart. */
export function textsOf(svg: string): string[] {
  return shapesOf(svg).flatMap(({ name, text }) => (name === 'text' ? [text] : []));
}

/** A percentage as a number. */
export function percent(text: string | undefined): number {
  return Number(/^(-?[\d.]+)%$/.exec(text ?? '')?.[1] ?? Number.NaN);
}

/** The points of paths, from 0 to 1000. */
export function pointsOf(path: string | undefined): [number, number][] {
  return [...(path ?? '').matchAll(/[ML](-?\d+) (-?\d+)/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
}
