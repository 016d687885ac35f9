/** The values of a chart's points on hover, focus and tap. Without a script, the browser shows their titles. */
import { findAll, listen, make } from './dom.ts';

interface Point {
  shape: Element;
  text: string;
}

/** How much the column of a point counts in comparison with its height. */
const ACROSS = 100;
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const tip = make('p', { className: 'tip', role: 'status' });

export function showChartValues(): void {
  for (const chart of findAll<SVGElement>('svg.chart')) {
    const points = findAll<SVGTitleElement>(':scope * > title', chart).map(takeTitle);
    if (points.length > 0) listenOn(chart, points);
  }
}

/** The browser must not show the title as well. */
function takeTitle(title: Element): Point {
  const point = { shape: title.parentElement as Element, text: title.textContent };
  title.remove();
  return point;
}

function listenOn(chart: SVGElement, points: readonly Point[]): void {
  const { length } = points;
  let at = length;
  const show = (to: number) => {
    points[at]?.shape.classList.remove('on');
    at = to;
    const point = points[at];
    if (point) showTip(chart, point);
    else tip.remove();
  };
  const hide = () => show(length);
  const showNearest = ({ clientX, clientY }: PointerEvent) => {
    const distances = points.map(({ shape }) => {
      const [x, y] = middleOf(shape);
      return Math.abs(x - clientX) * ACROSS + Math.abs(y - clientY);
    });
    show(distances.indexOf(Math.min(...distances)));
  };

  chart.tabIndex = 0;
  listen(chart, 'pointermove', showNearest);
  listen(chart, 'pointerdown', showNearest);
  // After a tap, the value stays until the next one.
  listen(chart, 'pointerleave', ({ pointerType }) => pointerType === 'mouse' && hide());
  listen(chart, 'blur', hide);
  listen(chart, 'keydown', (event) => {
    const { [event.key]: step } = STEPS;
    if (event.key === 'Escape') hide();
    if (!step) return;
    event.preventDefault();
    show(Math.max(0, Math.min(length - 1, at + step)));
  });
}

function showTip(chart: Element, { shape, text }: Point): void {
  const [x, y] = middleOf(shape);
  const { left, width } = chart.getBoundingClientRect();
  shape.classList.add('on');
  tip.textContent = text;
  Object.assign(tip.style, {
    left: `${x + scrollX}px`,
    top: `${y + scrollY}px`,
    // So that it is within the width of its chart.
    translate: `${((left - x) / width) * 100}% -100%`,
  });
  document.body.append(tip);
}

function middleOf(shape: Element): [x: number, y: number] {
  const { x, y, width, height } = shape.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
