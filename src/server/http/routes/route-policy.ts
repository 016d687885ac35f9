/** What the HTTP layer does with requests for an address, by its route. */
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import { type Route, isCounted, isShared } from '#core/contract/route.ts';
import type { RouteTable, SiteRoute } from '#core/contract/route-table.ts';
import type { Address } from '../request/address.ts';
import {
  type ResponsePolicy,
  SHARED_POST,
  SHARED_READ,
  deprecationHeaders,
  goneAtMs,
  responsePolicy,
} from './response-policy.ts';
import {
  dataSecurity,
  framedSecurity,
  pageSecurity,
  pictureSecurity,
} from '../response/security-headers.ts';

/** Other origins whose pages may call with a token, by what they may call. */
export interface TrustedOrigins {
  mcp: readonly string[];
  satellite: readonly string[];
}

export interface RoutePolicy {
  /** The methods that it accepts; empty if nothing can be there. */
  methods: readonly string[];
  /** Whether it serves programs, so that errors must not be pages. */
  isApi: boolean;
  /** How requests of a method are answered. Methods that are not accepted are answered like the first one. */
  response(method: string): ResponsePolicy;
}

interface PolicyOptions {
  baseUrl: string;
  /** What pages of other sites may call with a token; nothing if absent. */
  origins?: TrustedOrigins | undefined;
  /** The sites that may show framed pages; none if absent. */
  frameAncestors?: readonly string[] | undefined;
}

/** Creates the function that returns the policy of an address. Paths without parameters take one lookup. */
export function routePolicies(
  routes: RouteTable,
  options: PolicyOptions,
): (address: Address) => RoutePolicy {
  const { baseUrl } = options;
  const policies = new Map<SiteRoute, ReturnType<typeof variantsOf>>();
  const policiesOf = (route: SiteRoute) => {
    const made = policies.get(route) ?? variantsOf(route, options);
    policies.set(route, made);
    return made;
  };
  const open = pagePolicy(baseUrl, READ, { isSignaled: true });
  const personal = pagePolicy(baseUrl, READ, {});
  const picture = alike(READ, responsePolicy({ security: pictureSecurity(baseUrl) }));
  const nothing = { ...alike([], dataPolicy(baseUrl, {})), isApi: true };
  const unknown = (path: string) => {
    if (/^\/(?:api|\.well-known|oauth)(?:\/|$)/.test(path)) return nothing;
    if (routes.isPicture(path)) return picture;
    return routes.isPersonal(path) ? personal : open;
  };
  return ({ path, target }) => {
    const page = routes.pageOfMarkdown(path);
    const route = routes.find(page ?? path);
    if (!route) return unknown(path);
    const found = policiesOf(route);
    const isSearch = route.search !== undefined && isSearched(route.search, target, path);
    if (page === null) return isSearch ? found.search : found.usual;
    return isSearch ? found.markdownSearch : found.markdown;
  };
}

const READ = ['GET', 'HEAD', 'OPTIONS'];

/** Whether the parameter that makes a page a search has a value. */
function isSearched(name: string, target: string, path: string): boolean {
  if (target === path) return false;
  return Boolean(new URLSearchParams(target.slice(path.length)).get(name)?.trim());
}

/** The policies of a page for browsers and for programs, and of searches on it, which count as public reads. */
function variantsOf(route: SiteRoute, options: PolicyOptions) {
  const { methods } = route;
  const { baseUrl } = options;
  const usual = route.framed ? framedPolicy(route, options) : policyOf(route, options);
  const markdown = { ...NEGOTIATED, shared: SHARED_READ, isSignaled: true };
  const search = { ...NEGOTIATED, isSignaled: true, limit: 'public' } as const;
  return {
    usual,
    search: pagePolicy(baseUrl, methods, search),
    markdown: alike(methods, dataPolicy(baseUrl, markdown)),
    markdownSearch: alike(methods, dataPolicy(baseUrl, { ...markdown, limit: 'public' })),
  };
}

function framedPolicy(
  { methods }: SiteRoute,
  { baseUrl, frameAncestors = [] }: PolicyOptions,
): RoutePolicy {
  const security = framedSecurity(baseUrl, frameAncestors);
  return alike(methods, responsePolicy({ security, isSignaled: true }));
}

function policyOf(route: SiteRoute, options: PolicyOptions): RoutePolicy {
  const { kind, methods, caller, bodyLimitBytes = BODY_LIMIT_BYTES } = route;
  const { baseUrl, origins } = options;
  switch (kind) {
    case 'operation':
      return operationsPolicy(route, options);
    case 'picture':
      return alike(methods, responsePolicy({ security: pictureSecurity(baseUrl) }));
    case 'file':
      return api(methods, dataPolicy(baseUrl, filePolicy(route)));
    case 'mcp': {
      const callers = [baseUrl, ...(origins?.mcp ?? [])];
      return api(methods, dataPolicy(baseUrl, { limit: kind, bodyLimitBytes, origins: callers }));
    }
    case 'provider':
      return api(methods, dataPolicy(baseUrl, { shared: SHARED_POST, bodyLimitBytes }));
    default:
      return pagePolicy(baseUrl, methods, {
        ...(route.markdown && NEGOTIATED),
        isSignaled: caller === 'public',
        bodyLimitBytes,
      });
  }
}

/** Streamed files are the same for everyone. */
function filePolicy({ streamed }: SiteRoute): More {
  const more = streamed && { vary: [], isStreamed: true };
  return { ...more, shared: SHARED_READ, isSignaled: true };
}

const NEGOTIATED = { vary: ['Accept', 'Accept-Encoding'] };

type More = Omit<Parameters<typeof responsePolicy>[0], 'security'>;

function pagePolicy(baseUrl: string, methods: readonly string[], more: More): RoutePolicy {
  return alike(methods, responsePolicy({ security: pageSecurity(baseUrl), ...more }));
}

function dataPolicy(baseUrl: string, more: More): ResponsePolicy {
  const security = dataSecurity(baseUrl, more.shared !== undefined);
  return responsePolicy({ security, ...more });
}

/** All methods are answered in the same way. */
function alike(methods: readonly string[], policy: ResponsePolicy): RoutePolicy {
  return { methods, isApi: false, response: () => policy };
}

function api(methods: readonly string[], policy: ResponsePolicy): RoutePolicy {
  return { ...alike(methods, policy), isApi: true };
}

/** Each operation has its own policy. */
function operationsPolicy(route: SiteRoute, options: PolicyOptions): RoutePolicy {
  const policies = new Map<string, ResponsePolicy>();
  for (const operation of route.operations ?? []) {
    const policy = operationPolicy(operation, options);
    policies.set(operation.method, policy);
    if (operation.method === 'GET') policies.set('HEAD', policy);
  }
  const first = [...policies.values()][0] as ResponsePolicy;
  return { ...api(route.methods, first), response: (method) => policies.get(method) ?? first };
}

function operationPolicy(operation: Route, { baseUrl, origins }: PolicyOptions): ResponsePolicy {
  const isOpen = isShared(operation);
  return dataPolicy(baseUrl, {
    ...(isOpen && { shared: SHARED_READ, isSignaled: true }),
    headers: deprecationHeaders(operation),
    limit: isCounted(operation) ? 'public' : 'pages',
    bodyLimitBytes: Math.max(operation.bodyLimitBytes, BODY_LIMIT_BYTES),
    isStreamed: operation.streamed ?? false,
    goneAtMs: goneAtMs(operation),
    origins: operation.id === 'getPeers' ? (origins?.satellite ?? []) : [],
  });
}
