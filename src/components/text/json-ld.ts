/** Structured data for search engines, with the vocabulary of schema.org. */

/** A schema.org object; the outermost one has `@context`. */
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
