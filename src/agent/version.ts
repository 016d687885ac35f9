import { VERSION } from '#core/cli/version.ts';

export { VERSION };

/** Whether a version is older than another. False if either is not a version. */
export function isOlder(version: string, other: string | null): boolean {
  const [a, b] = [partsOf(version), partsOf(other ?? '')];
  if (!a || !b) return false;
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/** The three numbers, then 0 for a pre-release or 1 for a release. */
function partsOf(version: string): number[] | null {
  const found = /^(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(\+[\w.-]+)?$/.exec(version);
  if (!found) return null;
  return [...found.slice(1, 4).map(Number), found[4] === undefined ? 1 : 0];
}

/** The program's name and version in signed snapshots. */
export const COLLECTOR = { name: 'opbench', version: VERSION };

declare const OPBENCH_BOARD: string | undefined;

/** The board that served this copy of the program; null if none did. */
export const HOME_BOARD =
  typeof OPBENCH_BOARD === 'string' && URL.canParse(OPBENCH_BOARD) ? OPBENCH_BOARD : null;
