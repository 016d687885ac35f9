import type { AppContext } from '../context.ts';

/** Changes with what pages contain apart from the publication: the board's name, the announcement and the calibration. */
export function siteVersionOf({
  boardSettings,
  announcements,
  calibration,
}: Pick<AppContext, 'announcements' | 'boardSettings' | 'calibration'>): string {
  return `${boardSettings.version} ${announcements.version} ${calibration.version}`;
}
