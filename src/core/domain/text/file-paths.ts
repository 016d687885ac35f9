/** Where a board has what is no page and no operation of its API, from the root. */

/** What of the host agents can use. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json';
export const AI_CATALOG_MEDIA_TYPE = 'application/ai-catalog+json';

/** What happened on the board lately. */
export const ATOM_PATH = '/feed.atom';
export const ATOM_MEDIA_TYPE = 'application/atom+xml';

/** What agents read first. */
export const LLMS_TXT_PATH = '/llms.txt';

/** The companion site: a folder, whose files stand beside its page. */
export const SATELLITE_PATH = '/satellite/';

/** All pages, or the files in which they are listed. */
export const SITEMAP_PATH = '/sitemap.xml';
