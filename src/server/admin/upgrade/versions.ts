/** Versions and their order. */

/** Numbers are short enough to be exact. */
const NUMBER = '(?:0|[1-9]\\d{0,8})';
const VERSION = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`,
);

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/**
 * Negative if the first version is older, positive if it is newer, 0 if both are the same.
 *
 * @see {@link https://semver.org/#spec-item-11 | Semantic Versioning, precedence}
 */
export function compareVersions(one: string, two: string): number {
  const [first, second] = [partsOf(one), partsOf(two)];
  return (
    firstDifference(first.numbers, second.numbers, (a, b) => a - b) ||
    // A version is newer than its prereleases.
    Number(first.prerelease.length === 0) - Number(second.prerelease.length === 0) ||
    firstDifference(first.prerelease, second.prerelease, compareIdentifiers) ||
    first.prerelease.length - second.prerelease.length
  );
}

function partsOf(version: string): { numbers: number[]; prerelease: string[] } {
  const [, major, minor, patch, prerelease] = VERSION.exec(version) ?? [];
  if (patch === undefined) throw new RangeError(`"${version}" is not a version`);
  return { numbers: [major, minor, patch].map(Number), prerelease: prerelease?.split('.') ?? [] };
}

function firstDifference<Part>(
  one: readonly Part[],
  two: readonly Part[],
  compare: (a: Part, b: Part) => number,
): number {
  for (const [at, part] of one.entries()) {
    const other = two[at];
    const difference = other === undefined ? 0 : compare(part, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers by value, words by their characters, and numbers before words. */
function compareIdentifiers(one: string, two: string): number {
  const [first, second] = [one, two].map((text) => /^\d+$/.test(text));
  if (first && second) return Math.sign(Number(one) - Number(two));
  if (first !== second) return first ? -1 : 1;
  return one === two ? 0 : one < two ? -1 : 1;
}
