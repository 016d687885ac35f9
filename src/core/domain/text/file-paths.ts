/** Root-relative paths of the files of a board that are neither pages nor operations of the API. */

/** The catalog of what agents can use on this host. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json';
export const AI_CATALOG_MEDIA_TYPE = 'application/ai-catalog+json';

/** The feed of recent events on the board. */
export const ATOM_PATH = '/feed.atom';
export const ATOM_MEDIA_TYPE = 'application/atom+xml';

/** The feed of an operator's milestones. */
export function operatorFeedPath(codename: string): string {
  return `/operators/${codename}${ATOM_PATH}`;
}

/** The overview of the site for language models. */
export const LLMS_TXT_PATH = '/llms.txt';

/** The companion site: a folder with a page and the page's files. */
export const SATELLITE_PATH = '/satellite/';

/** The sitemap: all pages, or an index of the files that list them. */
export const SITEMAP_PATH = '/sitemap.xml';

/** The icon of a board that does not set its own. */
export const DEFAULT_ICON = '/icon.svg';
/** The path that browsers request without being asked to. */
export const FAVICON_PATH = '/favicon.ico';
/** The path that phones request. */
export const TOUCH_ICON_PATH = '/apple-touch-icon.png';
export const WEB_MANIFEST_PATH = '/site.webmanifest';

/** Whether phones can show an icon. They support neither SVG nor WebP; the default icon also exists as PNG. */
export function hasTouchIcon(icon: string): boolean {
  return icon === DEFAULT_ICON || icon.endsWith('.png');
}
