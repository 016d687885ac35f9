/**
 * An operator's badge as shields.io draws it.
 *
 * @see {@link https://shields.io/badges/endpoint-badge | Endpoint badge}
 */
import type { BadgeContent, BadgePlace } from '#core/domain/board/badge.ts';
import { badgeWords } from './badge-words.ts';

interface Shield {
  schemaVersion: 1;
  label: string;
  message: string;
  /** Six hex digits, or the name of a color. */
  color: string;
  isError?: true;
  cacheSeconds: number;
}

const CACHE_SECONDS = 300;

export function shieldOf(
  place: BadgePlace,
  show: BadgeContent,
  { board, accent }: { board: string; accent: string },
): Shield {
  const { says } = badgeWords(place, board, show);
  const { standing } = place;
  const isShown = standing !== 'unlisted' && standing !== 'unpublished';
  return {
    schemaVersion: 1,
    label: board,
    message: says.map(({ text }) => text).join(''),
    color: isShown && standing !== 'unranked' ? accent.slice(1) : 'lightgrey',
    ...(!isShown && { isError: true }),
    cacheSeconds: CACHE_SECONDS,
  };
}
