/**
 * The addresses of pages as Markdown. Beside each page that is the same for everybody stands a twin: the
 * page's path with `.md` behind it, and `/index.md` for the front page. No codename, id, metric or code
 * holds a dot, so no page is taken for a twin.
 *
 * @see {@link https://llmstxt.org | llms.txt}, which proposes this suffix
 */

/** The pages that have a twin; what stands behind a slash may be the name of nothing. */
const WITH_TWIN =
  /^\/(?:(?:(?:challenges|metrics|problems|submissions)(?:\/[^/.]+)?|developers(?:\/protocol)?|hall-of-signal|leaderboard\/[^/.]+\/[^/.]+|methodology|operators\/[^/.]+|privacy|science)?)$/;

const SUFFIX = '.md';
export const FRONT_TWIN = `/index${SUFFIX}`;

/** The twin of a page; null where it has none. Both are paths, with a query or without. */
export function twinOf(page: string): string | null {
  const [path, query] = parted(page);
  if (!WITH_TWIN.test(path)) return null;
  return (path === '/' ? FRONT_TWIN : path + SUFFIX) + query;
}

/** The page whose twin stands at an address; null where none does. */
export function pageOfTwin(twin: string): string | null {
  const [path, query] = parted(twin);
  if (!path.endsWith(SUFFIX)) return null;
  const page = path === FRONT_TWIN ? '/' : path.slice(0, -SUFFIX.length);
  return twinOf(page) === path ? page + query : null;
}

function parted(address: string): [path: string, query: string] {
  const end = address.indexOf('?');
  return end < 0 ? [address, ''] : [address.slice(0, end), address.slice(end)];
}
