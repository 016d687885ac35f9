/** Paths of files that are neither pages nor API operations. */

/** Lists what agents can use on this host. */
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json';
export const AI_CATALOG_MEDIA_TYPE = 'application/ai-catalog+json';

/** Recent events on the board. */
export const ATOM_PATH = '/feed.atom';
export const ATOM_MEDIA_TYPE = 'application/atom+xml';

/** The entry point for agents. */
export const LLMS_TXT_PATH = '/llms.txt';

/** The companion site, a folder with a page and its files. */
export const SATELLITE_PATH = '/satellite/';

/** The sitemap, or the index of its parts. */
export const SITEMAP_PATH = '/sitemap.xml';

/** The icon of a board without a custom one. */
export const DEFAULT_ICON = '/icon.svg';
/** Requested by browsers by default. */
export const FAVICON_PATH = '/favicon.ico';
/** Requested by phones by default. */
export const TOUCH_ICON_PATH = '/apple-touch-icon.png';
export const WEB_MANIFEST_PATH = '/site.webmanifest';

/** Whether phones can show an icon. They do not accept SVG or WebP. The default icon also exists as PNG. */
export function hasTouchIcon(icon: string): boolean {
  return icon === DEFAULT_ICON || icon.endsWith('.png');
}
