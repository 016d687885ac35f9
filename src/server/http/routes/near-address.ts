/** The address that a mistyped one stands for. */
import { ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { nearestName } from '#core/domain/text/nearest-name.ts';

/** A longer path is not compared: that would take long, and nobody mistypes it by two letters only. */
const MAX_LENGTH = 80;

const SHAPES = ROUTE_TABLE.routes.flatMap(({ path }) => {
  const addresses = addressesOf(path);
  return addresses.length > 0 ? addresses : [path];
});

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
