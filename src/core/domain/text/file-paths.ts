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

/** The mark of a board that has no icon of its own. */
export const DEFAULT_ICON = '/icon.svg';
/** Where browsers look for an icon by themselves. */
export const FAVICON_PATH = '/favicon.ico';
/** Where phones look for one. */
export const TOUCH_ICON_PATH = '/apple-touch-icon.png';
export const WEB_MANIFEST_PATH = '/site.webmanifest';

/** Whether phones can show an icon: they take no SVG and no WebP. Of the default mark there is a PNG, too. */
export function hasTouchIcon(icon: string): boolean {
  return icon === DEFAULT_ICON || icon.endsWith('.png');
}
