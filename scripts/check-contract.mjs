// Compares the operations of the contract with those that the server answers: nothing may be missing on either side.
//   node scripts/check-contract.mjs
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, ensureNode } from './runtime.mjs';

/**
 * What does not fit between the routes and what answers them, a line each.
 *
 * @param routes The contract: objects with `id`, `method` and `path`.
 * @param bound The routes that something answers.
 */
export function contractFaults(routes, bound) {
  const name = ({ method, path, id }) => `${method} ${path} (${id})`;
  return [
    ...routes.filter((route) => !bound.includes(route)).map((it) => `Nothing answers ${name(it)}`),
    ...bound.filter((route) => !routes.includes(route)).map((it) => `No list has ${name(it)}`),
    ...bound
      .filter((route, at) => bound.indexOf(route) < at)
      .map((it) => `${name(it)} is answered twice`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureNode();
  const load = (path) => import(pathToFileURL(join(ROOT, 'src', path)).href);
  const { ROUTES } = await load('core/contract/routes.ts');
  const { BINDINGS } = await load('pages/_operations.ts');
  const bound = BINDINGS.map(({ route }) => route);
  const faults = contractFaults(ROUTES, bound);
  if (faults.length > 0) {
    console.error(
      'The contract (src/core/contract/routes.ts) and src/pages/_operations.ts differ:',
    );
    for (const fault of faults) console.error(fault);
    process.exitCode = 1;
  }
}
