// Compares the operations of the contract with those that the server implements. Both must be the same.
//   node scripts/check-contract.mjs
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, ensureNode } from './runtime.mjs';

/**
 * The differences between the contract and the implementation, one line each.
 *
 * @param routes The contract: objects with `id`, `method` and `path`.
 * @param bound The implemented routes.
 */
export function contractFaults(routes, bound) {
  const name = ({ method, path, id }) => `${method} ${path} (${id})`;
  return [
    ...routes.filter((route) => !bound.includes(route)).map((it) => `Not implemented: ${name(it)}`),
    ...bound
      .filter((route) => !routes.includes(route))
      .map((it) => `Not in the contract: ${name(it)}`),
    ...bound
      .filter((route, at) => bound.indexOf(route) < at)
      .map((it) => `Implemented twice: ${name(it)}`),
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
