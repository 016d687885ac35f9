import { guidePath } from '#core/contract/openapi/guide.ts';
import { TAGS } from '#core/contract/route.ts';

/** The titles of the API reference pages, one for each group of operations. */
export const GROUP_TITLES: Readonly<Record<keyof typeof TAGS, string>> = {
  board: 'Board',
  operators: 'Operators',
  log: 'Submissions and public log',
  devices: 'Devices',
  account: 'Account',
  applications: 'Connected apps',
  service: 'Service',
};

/** The links to the pages of all groups, for llms.txt. */
export function groupLinks() {
  const tags = Object.keys(GROUP_TITLES) as (keyof typeof GROUP_TITLES)[];
  return tags.map((tag) => {
    const about = TAGS[tag].replace(/\.$/, '');
    return { title: `API: ${GROUP_TITLES[tag]}`, path: guidePath(tag), about };
  });
}
