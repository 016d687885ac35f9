/** Pages as data that search engines read, in the words of schema.org. */

/** A thing of schema.org, with its context where it stands alone. */
export type Thing = Readonly<Record<string, unknown>>;

export const SCHEMA_ORG = 'https://schema.org';

/** The text of a script element of data: nothing in it can end the element, whoever wrote it. */
export function scriptText(data: Thing): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

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
