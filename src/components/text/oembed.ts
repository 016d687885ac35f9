/**
 * What other sites show for a link to a page.
 *
 * @see {@link https://oembed.com | oEmbed}
 */
import { cardPath } from '#core/domain/board/badge.ts';
import { EMBED_PATH, type Embeddable } from '#core/domain/board/embeddable.ts';
import { escapedMarkup } from '#core/domain/text/escape.ts';
import { challengeCardPath } from './addresses.ts';
import { boardTitle } from './words.ts';

interface Site {
  name: string;
  baseUrl: string;
  /** Whether other sites may show the small board in a frame. */
  isFramed: boolean;
}

/** The largest size that the other site has room for, in pixels. */
export interface Room {
  width: number;
  height: number;
}

const FRAME = { width: 480, height: 380 };
const PICTURE = { width: 1200, height: 630 };
const CACHE_SECONDS = 300;

export function oembedOf(page: Embeddable, { name, baseUrl, isFramed }: Site, room: Room) {
  const shared = {
    version: '1.0',
    title: titleOf(page, name),
    provider_name: name,
    provider_url: baseUrl,
    cache_age: CACHE_SECONDS,
  };
  if (page.kind === 'board' && page.isWhole && isFramed) {
    const size = {
      width: Math.min(FRAME.width, room.width),
      height: Math.min(FRAME.height, room.height),
    };
    const { window, metric, tool } = page;
    const query = new URLSearchParams({ window, metric, tool: tool ?? '' });
    const src = escapedMarkup(`${baseUrl}${EMBED_PATH}?${query}`);
    const attributes = `width="${size.width}" height="${size.height}" title="${escapedMarkup(shared.title)}" loading="lazy"`;
    const html = `<iframe src="${src}" ${attributes} frameborder="0"></iframe>`;
    return { ...shared, type: 'rich', ...size, html };
  }
  const fits = PICTURE.width <= room.width && PICTURE.height <= room.height;
  return {
    ...shared,
    type: 'link',
    ...(fits && {
      thumbnail_url: baseUrl + picturePath(page),
      thumbnail_width: PICTURE.width,
      thumbnail_height: PICTURE.height,
    }),
  };
}

function picturePath(page: Embeddable): string {
  if (page.kind === 'operator') return cardPath(page.codename);
  return page.kind === 'challenge' ? challengeCardPath(page.id) : '/open-graph.png';
}

function titleOf(page: Embeddable, name: string): string {
  if (page.kind === 'operator') return `${page.codename} on ${name}`;
  if (page.kind === 'challenge') return `${page.title}, a challenge on ${name}`;
  return `${boardTitle(page)}, ${page.tool ?? 'all tools'}`;
}
