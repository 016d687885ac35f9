/** Pages as data that search engines read, in the words of schema.org. */

/** A thing of schema.org, with its context where it stands alone. */
export type Thing = Readonly<Record<string, unknown>>;

export const SCHEMA_ORG = 'https://schema.org';

/** The board itself, as who makes what it shows. */
export function boardThing(type: 'Organization' | 'WebSite', { name, baseUrl }: Told): Thing {
  return { '@type': type, name, url: `${baseUrl}/` };
}

/** What every page knows of the board. */
export interface Told {
  /** The name of the board. */
  name: string;
  baseUrl: string;
}
