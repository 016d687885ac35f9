/** Structured data of pages, read as a consumer of JSON-LD does. */
import jsonld from 'jsonld';

const SCHEMA = 'https://schema.org/';

/** Those of the vocabulary's types and properties that a data set and a profile may have. */
const TERMS = [
  ...['DataDownload', 'Dataset', 'Organization', 'Person', 'ProfilePage', 'PropertyValue'],
  ...['WebSite', 'alternateName', 'contentUrl', 'creator', 'dateModified', 'description'],
  ...['distribution', 'encodingFormat', 'identifier', 'image', 'isAccessibleForFree', 'isPartOf'],
  ...['mainEntity', 'measurementTechnique', 'name', 'propertyID', 'sameAs', 'temporalCoverage'],
  ...['url', 'variableMeasured'],
];

/** The public context, as far as pages need it; a word that is not there has no meaning. */
const CONTEXT = Object.fromEntries(TERMS.map((term) => [term, SCHEMA + term]));

async function documentLoader(documentUrl: string) {
  if (new URL(documentUrl).origin !== new URL(SCHEMA).origin) {
    throw new Error(`${documentUrl} is not the context of schema.org`);
  }
  return { contextUrl: null, documentUrl, document: { '@context': CONTEXT } };
}

/**
 * The one thing that a document describes, every word and type with its full name.
 *
 * @throws {Error} if a word or a type has no meaning.
 */
export async function expanded(document: object): Promise<Record<string, unknown>> {
  const [thing = {}, ...others] = await jsonld.expand(document, { documentLoader, safe: true });
  if (others.length > 0) throw new Error('The document describes several things');
  return thing;
}

/** The structured data of a page; null without any. */
export function structuredData(html: string): Record<string, unknown> | null {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>);
}
