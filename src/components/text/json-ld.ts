/** Structured data for search engines, in the vocabulary of schema.org. */

/** A schema.org object; top-level objects include `@context`. */
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
