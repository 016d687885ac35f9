import { operatorHref } from '../text/addresses.ts';
import { SCHEMA_ORG, type Thing, type BoardIdentity, boardThing } from '../text/json-ld.ts';
import type { OperatorSheet } from './operator-sheet.ts';

type Shown = Pick<OperatorSheet, 'codename' | 'generated_at' | 'profile'>;

/**
 * An operator's page as structured profile data, limited to what the page shows.
 *
 * @see {@link https://schema.org/ProfilePage | ProfilePage}
 */
export function operatorProfile(sheet: Shown, board: BoardIdentity): Thing {
  const { codename, generated_at, profile } = sheet;
  const { display_name, bio, avatar_url, links } = profile;
  const url = board.baseUrl + operatorHref(codename);
  return {
    '@context': SCHEMA_ORG,
    '@type': 'ProfilePage',
    url,
    dateModified: generated_at,
    isPartOf: boardThing('WebSite', board),
    mainEntity: {
      '@type': 'Person',
      identifier: codename,
      name: display_name ?? codename,
      ...(display_name !== null && { alternateName: codename }),
      url,
      ...(bio !== null && { description: bio }),
      ...(avatar_url !== null && { image: avatar_url }),
      ...(links !== null && links.length > 0 && { sameAs: links }),
    },
  };
}
