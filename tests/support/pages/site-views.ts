/** Every page of a board, in each possible state: the input of quality gates and pictures. */
import { EMPTY_VIEWS } from './empty-views.ts';
import { OWN_VIEWS } from './own-views.ts';
import { PUBLIC_VIEWS } from './public-views.ts';
import { SATELLITE_VIEWS } from './satellite-views.ts';
import type { Site } from './site.ts';
import type { NamedView } from './view.ts';

const FULL_VIEWS = { ...PUBLIC_VIEWS, ...OWN_VIEWS, ...SATELLITE_VIEWS };

/** The page files in these tables. */
export const LISTED_PAGES: readonly string[] = [
  ...new Set([...Object.keys(FULL_VIEWS), ...Object.keys(EMPTY_VIEWS)]),
];

/** All views of a site, each under a name. */
export function viewsOf({ states }: Pick<Site, 'states'>): NamedView[] {
  const pages = states
    ? Object.entries(FULL_VIEWS).map(([page, viewsIn]) => [page, viewsIn(states)] as const)
    : Object.entries(EMPTY_VIEWS);
  return pages.flatMap(([page, views]) => {
    return views.map((view, at) => {
      return {
        ...view,
        name: view.name ?? nameOf(view.path),
        page,
        isFirst: at === 0 && !view.isSlow,
      };
    });
  });
}

function nameOf(path: string): string {
  return path.slice(1).replaceAll(/[^a-z\d_-]+/gi, '-');
}
