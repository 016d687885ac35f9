/** Every operation of the API, and the table of all routes. */
import { METRIC_NAMES } from '../domain/metrics/metrics.ts';
import { WINDOWS } from '../domain/metrics/window.ts';
import operations from './operations.json' with { type: 'json' };
import * as defined from './operations.ts';
import { type Route, TAGS } from './route.ts';
import { RouteTable, type SiteRoute } from './route-table.ts';
import { SITE_ROUTES } from './site-routes.ts';

const DEFINED = Object.values<unknown>(defined).filter((one): one is Route => {
  return typeof one === 'object' && one !== null && 'auth' in one;
});

/** Every operation, in the order of `operations.json`. */
export const ROUTES: readonly Route[] = Object.keys(operations).map((id) => {
  const route = DEFINED.find((one) => one.id === id);
  if (!route) throw new Error(`No module defines the operation ${id}`);
  return route;
});

/** The operations as routes, one for each path. */
export function operationRoutes(routes: readonly Route[]): SiteRoute[] {
  const paths = [...new Set(routes.map(({ path }) => path))];
  return paths.map((path) => {
    const ofPath = routes.filter((operation) => operation.path === path);
    const [{ auth, cacheSeconds, limit, prepared, readers, llms }] = ofPath as [Route, ...Route[]];
    const methods = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return {
      path,
      kind: 'operation',
      methods: [...methods, 'OPTIONS'].sort(),
      caller: auth === 'public' && cacheSeconds === 0 ? 'visitor' : auth,
      cacheSeconds,
      limit,
      operations: ofPath,
      ...(prepared && { prepared }),
      ...(readers && { readers }),
      ...(llms && { llms }),
    };
  });
}

/** Every address of a board. */
export const ROUTE_TABLE = new RouteTable([...SITE_ROUTES, ...operationRoutes(ROUTES)]);

/** Parameters with a fixed set of values. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  group: Object.keys(TAGS),
  metric: METRIC_NAMES,
  window: WINDOWS,
};

/** Returns the addresses of a route for all values of its parameters; none if the values are not fixed. */
export function addressesOf(path: string): string[] {
  const [parameter, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  if (parameter === undefined) return [path];
  return (VALUES[name] ?? []).flatMap((value) => addressesOf(path.replace(parameter, value)));
}
