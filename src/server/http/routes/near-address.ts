/** The address that a mistyped one stands for. */
import { ROUTES } from '#core/contract/routes.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { nearestName } from '#core/domain/text/nearest-name.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { NAMED } from './route-name.ts';

/** A longer path is not compared: that would take long, and nobody mistypes it by two letters only. */
const MAX_LENGTH = 80;

const SHAPES = [...new Set([...NAMED, ...ROUTES.map(({ path }) => path as string)])]
  .concat(WINDOWS.flatMap((window) => METRIC_NAMES.map((name) => `/leaderboard/${window}/${name}`)))
  .concat(METRIC_NAMES.map((name) => `/metrics/${name}`))
  .concat('/operators/{codename}', '/submissions/{id}', '/challenges/{id}');

const BY_LENGTH = Map.groupBy(
  SHAPES.map((shape) => shape.split('/')),
  ({ length }) => length,
);

/**
 * The known address that differs from a path by at most two letters, with the path's own values for its parameters.
 * Capitals count for nothing.
 */
export function nearAddress(path: string): string | null {
  if (path.length > MAX_LENGTH) return null;
  const typed = path.toLowerCase().split('/');
  const known = (BY_LENGTH.get(typed.length) ?? []).map((shape) => filled(shape, typed));
  const near = nearestName(typed.join('/'), known);
  return near === path ? null : near;
}

function filled(shape: readonly string[], typed: readonly string[]): string {
  return shape.map((part, at) => (part.startsWith('{') ? (typed[at] ?? '') : part)).join('/');
}
