/** The pages of the API reference. */
import { type Route, TAGS } from '../route.ts';

/** The page of types that several groups use. */
export const TYPES_PAGE = 'types';

/** Returns the address of a group's page, or of the page of shared types. */
export function guidePath(page: Route['tag'] | typeof TYPES_PAGE): string {
  return `/developers/${page}`;
}

/** The titles of the pages of groups. */
export const GROUP_TITLES: Readonly<Record<Route['tag'], string>> = {
  board: 'Board',
  operators: 'Operators',
  log: 'Submissions and public log',
  devices: 'Devices',
  account: 'Account',
  applications: 'Connected apps',
  service: 'Service',
};

/** Returns links to the pages of all groups, for llms.txt. */
export function groupLinks() {
  const tags = Object.keys(TAGS) as Route['tag'][];
  return tags.map((tag) => {
    const about = TAGS[tag].replace(/\.$/, '');
    return { title: `API: ${GROUP_TITLES[tag]}`, path: guidePath(tag), about };
  });
}
