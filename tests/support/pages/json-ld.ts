/** Structured data of pages, read by a consumer of JSON-LD. */
import jsonld from 'jsonld';

const SCHEMA = 'https://schema.org/';

/** The vocabulary's types and properties that a data set and a profile may have. */
const TERMS = [
  ...['DataDownload', 'Dataset', 'Organization', 'Person', 'ProfilePage', 'PropertyValue'],
  ...['WebSite', 'alternateName', 'contentUrl', 'creator', 'dateModified', 'description'],
  ...['distribution', 'encodingFormat', 'identifier', 'image', 'isAccessibleForFree', 'isPartOf'],
  ...['mainEntity', 'measurementTechnique', 'name', 'propertyID', 'sameAs', 'temporalCoverage'],
  ...['url', 'variableMeasured'],
];

/** The public context, as far as pages need it. A term that is not in it has no meaning. */
const CONTEXT = Object.fromEntries(TERMS.map((term) => [term, SCHEMA + term]));

async function documentLoader(documentUrl: string) {
  if (new URL(documentUrl).origin !== new URL(SCHEMA).origin) {
    throw new Error(`${documentUrl} is not the context of schema.org`);
  }
  return { contextUrl: null, documentUrl, document: { '@context': CONTEXT } };
}

/**
 * The single thing that a document describes, with the full name of every term and type.
 *
 * @throws {Error} If a term or a type has no meaning.
 */
export async function expanded(document: object): Promise<Record<string, unknown>> {
  const [thing = {}, ...others] = await jsonld.expand(document, { documentLoader, safe: true });
  if (others.length > 0) throw new Error('The document describes several things');
  return thing;
}

/** The structured data of a page; null if there is none. */
export function structuredData(html: string): Record<string, unknown> | null {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>);
}
