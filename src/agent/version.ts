import { VERSION } from '#core/cli/version.ts';

export { VERSION };

/** Whether a version comes before another; one that cannot be told does not. */
export function isOlder(version: string, other: string | null): boolean {
  const [a, b] = [partsOf(version), partsOf(other ?? '')];
  if (!a || !b) return false;
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/** Its numbers, and 0 before 1 for what precedes the version of those numbers. */
function partsOf(version: string): number[] | null {
  const found = /^(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(\+[\w.-]+)?$/.exec(version);
  if (!found) return null;
  return [...found.slice(1, 4).map(Number), found[4] === undefined ? 1 : 0];
}

/** How this command names itself in what it signs. */
export const COLLECTOR = { name: 'opbench', version: VERSION };

declare const OPBENCH_BOARD: string | undefined;

/** The board that this copy of the command came from; null if it came from none. */
export const HOME_BOARD =
  typeof OPBENCH_BOARD === 'string' && URL.canParse(OPBENCH_BOARD) ? OPBENCH_BOARD : null;
