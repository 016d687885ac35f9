/** What a version of the ranking rules says of intervals, conservative values and rank ranges, in Markdown. */
import first from './methodology/version-1.md?raw';
import second from './methodology/version-2.md?raw';

interface VersionTexts {
  interval: string;
  conservative: string;
  range: string;
}

const HEADING = /^## (.+) \{#.+\}$/m;

/** The texts by which a board with these ranking rules computes. */
export function versionTexts(version: number): VersionTexts {
  const [, , interval = '', , conservative = '', , range = ''] = sourceOf(version)
    .split(HEADING)
    .map((text) => text.trim());
  return { interval, conservative, range };
}

/** All of it, to insert into a section. */
export function wholeVersionText(version: number): string {
  return sourceOf(version)
    .replaceAll(/^## (.+) \{#.+\}$/gm, '### $1')
    .trim();
}

/** The version to compare with. */
export function otherVersion(version: number): number {
  return version === 1 ? 2 : 1;
}

function sourceOf(version: number): string {
  return version === 1 ? first : second;
}
