/** Pages as data that search engines read, in the words of schema.org. */

/** A thing of schema.org, with its context where it stands alone. */
export type Thing = Readonly<Record<string, unknown>>;

export const SCHEMA_ORG = 'https://schema.org';

export function boardThing(
  type: 'Organization' | 'WebSite',
  { name, baseUrl }: BoardIdentity,
): Thing {
  return { '@type': type, name, url: `${baseUrl}/` };
}

export interface BoardIdentity {
  name: string;
  baseUrl: string;
}
