/** The faults of XML, found by an independent parser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import { ROOT } from '../board/context.ts';

/** A test compares this file with RFC 4287. */
const ATOM = fixture('atom.rng');
const inPackage = createRequire(import.meta.url);
const SITEMAP = readFileSync(
  join(dirname(inPackage.resolve('sitemap')), '../../schema/sitemap.xsd'),
  'utf8',
);

/** The same for an index of sitemaps, which that schema does not cover. */
const SITEMAP_INDEX = SITEMAP.replaceAll('"urlset"', '"sitemapindex"').replaceAll(
  'name="url" type="tUrl"',
  'name="sitemap" type="tUrl"',
);

export const atomFaults = (xml: string) => faults(xml, { schema: ATOM, extension: 'relaxng' });
export const sitemapFaults = (xml: string) => faults(xml, { schema: SITEMAP });
export const sitemapIndexFaults = (xml: string) => faults(xml, { schema: SITEMAP_INDEX });

/** Faults of a launchd agent and of a task for Windows. The schemas have what `opbench` may write. */
export const launchAgentFaults = (xml: string) =>
  faults(xml, { schema: fixture('launch-agent.rng'), extension: 'relaxng' });
export const taskFaults = (xml: string) => faults(xml, { schema: fixture('task.xsd') });

type Language = { schema: string; extension?: 'relaxng' | 'schema' };

function fixture(name: string): string {
  return readFileSync(join(ROOT, 'tests/fixtures', name), 'utf8');
}

async function faults(contents: string, language: Language): Promise<string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'it.xml', contents }], ...language });
  return errors.map(({ message }) => message);
}

/** The text of all elements of a name, parsed as XML. */
export function textsOf(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^]*?)</${name}>`, 'g'));
  return Array.from(found, ([, inner = '']) => {
    const pieces = inner.split(/<!\[CDATA\[([^]*?)\]\]>/);
    return pieces.map((piece, at) => (at % 2 === 1 ? piece : unescaped(piece))).join('');
  });
}

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };

function unescaped(text: string): string {
  return text.replace(/&\w+;/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES] ?? entity);
}
