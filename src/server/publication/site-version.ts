import type { AppContext } from '../context.ts';

/** Changes with what all pages contain, apart from the publication: the board's name and the announcement. */
export function siteVersionOf({
  boardSettings,
  announcements,
}: Pick<AppContext, 'announcements' | 'boardSettings'>): string {
  return `${boardSettings.version} ${announcements.version}`;
}
