// Compares the routes of the contract with the pages that bind them: nothing may be missing on either side.
//   node scripts/check-contract.mjs
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, ensureNode } from './runtime.mjs';

const PAGES = join(ROOT, 'src', 'pages');
/** Where operations live; other pages are HTML. */
const FOLDERS = ['api', '.well-known'];
/** One serves a protocol of its own, the other a text that is no operation. */
const OTHERS = ['api/mcp/index.ts', '.well-known/security.txt.ts'];
const FILES = ['oauth/userinfo.ts', 'openapi.json.ts'];

/**
 * What does not fit between the routes and the pages, a line each.
 *
 * @param routes The contract: objects with `id`, `method` and `path`.
 * @param pages Each page's file below src/pages, and the routes that it binds, if it says.
 */
export function contractFaults(routes, pages) {
  const faults = [];
  const bound = new Set();
  for (const { file, routes: binds } of pages) {
    const place = `src/pages/${file}`;
    if (!binds) faults.push(`${place} does not export ALL = endpoint(...)`);
    for (const route of binds ?? []) {
      const name = `${route.method} ${route.path} (${route.id})`;
      if (!routes.includes(route)) faults.push(`${place} binds ${name}, which no list has`);
      if (route.path !== pathOf(file)) faults.push(`${place} binds ${name} at ${pathOf(file)}`);
      if (bound.has(route)) faults.push(`${place} binds ${name}, which another page binds too`);
      bound.add(route);
    }
  }
  for (const route of routes.filter((listed) => !bound.has(listed))) {
    faults.push(`No page binds ${route.method} ${route.path} (${route.id})`);
  }
  return faults;
}

/** The address that Astro gives a page, with its parameters as the contract spells them. */
function pathOf(file) {
  const path = file.replace(/\.ts$/, '').replace(/(^|\/)index$/, '');
  return `/${path.replaceAll('[', '{').replaceAll(']', '}')}`;
}

/** All pages that are operations, with the routes that they bind. */
async function readPages() {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(PAGES, folder), { recursive: true })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((name) => name.endsWith('.ts') && !OTHERS.includes(name)),
  );
  const files = [...found, ...FILES].filter((file) => existsSync(join(PAGES, file)));
  return Promise.all(
    files.sort().map(async (file) => {
      const page = await import(pathToFileURL(join(PAGES, file)).href);
      return { file, routes: page.ALL?.routes };
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureNode();
  const { ROUTES } = await import(pathToFileURL(join(ROOT, 'src/core/contract/routes.ts')).href);
  const faults = contractFaults(ROUTES, await readPages());
  if (faults.length > 0) {
    console.error('The contract (src/core/contract/routes.ts) and the pages differ:');
    for (const fault of faults) console.error(fault);
    process.exitCode = 1;
  }
}
