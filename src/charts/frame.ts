/**
 * Shared parts of all charts on pages. Horizontal positions are percentages of the width and vertical ones are
 * pixels, so that text and lines have the same size on every screen.
 *
 * @module
 */
import type { Tick } from './scale.ts';
import { type Attributes, type Child, type Markup, at, el } from './svg.ts';

interface Frame {
  /** A class of `styles/charts.css`. */
  kind: string;
  height: number;
  title: string;
  desc: string;
}

export interface Plot {
  top: number;
  bottom: number;
}

/** Half the maximum width of a tick's label, in percent. */
const NEAR = 5;
/** The same for other labels. */
export const NEAR_LABEL = 16;
/** The same for dates. */
export const NEAR_DATE = 12;
/** Plots are drawn in a square with this many steps and stretched. */
const STEPS = 1000;

export function frame({ kind, height, title, desc }: Frame, ...children: Child[]): Markup {
  const attributes = { class: `chart ${kind}`, role: 'img', width: '100%', height };
  return el('svg', attributes, el('title', {}, title), el('desc', {}, desc), ...children);
}

/** A horizontal position, 0 to 100. */
export function across(place: number): string {
  return `${at(place)}%`;
}

/** A vertical position, 0 to 100, from the bottom. */
export function up({ top, bottom }: Plot, place: number): number {
  return at(bottom - (place / 100) * (bottom - top));
}

export function all(parts: readonly Markup[]): Markup {
  return { svg: parts.map(({ svg }) => svg).join('') };
}

export function upright(place: number, ends: readonly [number, number], kind: string): Markup {
  const x = across(place);
  return el('line', { class: kind, x1: x, x2: x, y1: at(ends[0]), y2: at(ends[1]) });
}

export function level(y: number, kind: string, ends: readonly [number, number] = [0, 100]): Markup {
  const [x1, x2] = ends.map(across);
  return el('line', { class: kind, x1, x2, y1: at(y), y2: at(y) });
}

/** Text centered on a position, or aligned to it near the edges of the chart. */
export function textAt(place: number, y: number, text: string, near = NEAR): Markup {
  const anchor = place < near ? 'start' : place > 100 - near ? 'end' : 'middle';
  return el('text', { x: across(place), y: at(y), 'text-anchor': anchor }, text);
}

/** Text next to a vertical line, on the side with more room. */
export function textBeside(place: number, y: number, text: string, more: Attributes = {}): Markup {
  const [anchor, dx] = place <= 50 ? ['start', 6] : ['end', -6];
  return el('text', { x: across(place), y: at(y), dx, 'text-anchor': anchor, ...more }, text);
}

/** Text at an edge of the chart, in front of lines that cross it. */
export function textOver(end: 'left' | 'right', y: number, text: string): Markup {
  const place = end === 'left' ? { x: 0 } : { x: '100%', 'text-anchor': 'end' };
  return el('text', { class: 'halo', y: at(y), ...place }, text);
}

/** The ticks of a horizontal axis, under a plot. */
export function ticksBelow(ticks: readonly Tick[], y: number, near = NEAR): Markup {
  return all(
    ticks.flatMap(({ at: place, label }) => [
      upright(place, [y, y + 5], 'tick'),
      textAt(place, y + 18, label, near),
    ]),
  );
}

/** Horizontal lines at the ticks of a vertical axis, with labels on the left. */
export function ticksLeft(ticks: readonly Tick[], plot: Plot): Markup {
  return all(
    ticks.flatMap(({ at: place, label }) => {
      const y = up(plot, place);
      return [level(y, 'grid'), textOver('left', y - 3, label)];
    }),
  );
}

/** Paths over a plot, in coordinates of {@linkcode step}. */
export function stretched({ top, bottom }: Plot, ...paths: Child[]): Markup {
  const size = { y: top, width: '100%', height: bottom - top };
  const box = { viewBox: `0 0 ${STEPS} ${STEPS}`, preserveAspectRatio: 'none' };
  return el('svg', { ...size, ...box, overflow: 'visible' }, ...paths);
}

/** A position as path coordinates. */
export function step(x: number, y: number): string {
  return `${Math.round((x / 100) * STEPS)} ${Math.round((1 - y / 100) * STEPS)}`;
}
