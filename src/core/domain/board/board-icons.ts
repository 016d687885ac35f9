/** The pictures by which browsers and phones show a board. */

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
