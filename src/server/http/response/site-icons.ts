/** The board's icons, and the web app manifest that lists them. */
import {
  DEFAULT_ICON,
  FAVICON_PATH,
  TOUCH_ICON_PATH,
  WEB_MANIFEST_PATH,
  hasTouchIcon,
} from '#core/domain/text/file-paths.ts';
import { type PreparedResponse, prepare } from './prepared-response.ts';
import type { Site, SiteFile } from '#server/config/site.ts';

const MANIFEST_MEDIA_TYPE = 'application/manifest+json';
const CACHE_CONTROL = 'public, max-age=300';
const TOUCH_SIZE = '180x180';

export function webManifest({ name, description, icon, colours }: Site): object {
  const { surface } = colours.light;
  const isOwn = icon !== DEFAULT_ICON;
  const touch = { src: TOUCH_ICON_PATH, sizes: TOUCH_SIZE, type: 'image/png' };
  return {
    id: '/',
    name,
    short_name: name,
    description,
    start_url: '/',
    display: 'browser',
    background_color: surface,
    theme_color: surface,
    icons: [{ src: icon, sizes: 'any' }, ...(isOwn ? [] : [touch])],
  };
}

/** Adds the manifest to a board's files, and replaces the default icon by the board's own. */
export async function prepareIcons(
  files: Map<string, PreparedResponse>,
  { site, siteFiles }: { site: Site; siteFiles: readonly SiteFile[] },
): Promise<void> {
  const manifest = Buffer.from(JSON.stringify(webManifest(site)));
  files.set(WEB_MANIFEST_PATH, await finishAs(manifest, MANIFEST_MEDIA_TYPE));
  const own = siteFiles.find(({ address }) => address === site.icon);
  if (!own) return;
  const icon = await finishAs(own.bytes, own.mediaType);
  files.set(FAVICON_PATH, icon);
  if (hasTouchIcon(site.icon)) files.set(TOUCH_ICON_PATH, icon);
  else files.delete(TOUCH_ICON_PATH);
}

function finishAs(bytes: Buffer, mediaType: string): Promise<PreparedResponse> {
  return prepare(bytes, { 'Content-Type': mediaType, 'Cache-Control': CACHE_CONTROL });
}
