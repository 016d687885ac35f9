/** Paths of the contract: each method is treated as its route says. */
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import { type Route, isCounted, isShared } from '#core/contract/route.ts';
import { deprecationHeaders, goneAtMs } from '../response/deprecation.ts';
import { dataSecurity } from '../response/security-headers.ts';
import { PREFLIGHT, type Place, SHARED, SIGNALS, type Treatment } from './response-policy.ts';

/**
 * What stands at a path of the contract.
 *
 * @param routes All of this path.
 * @param origins Pages of these may call it with a token.
 */
export function operationsAt(
  routes: readonly Route[],
  baseUrl: string,
  origins: readonly string[],
): Place {
  const treatments = new Map<string, Treatment>();
  for (const route of routes) {
    const treatment = treatmentOf(route, baseUrl, origins);
    treatments.set(route.method, treatment);
    if (route.method === 'GET') treatments.set('HEAD', treatment);
  }
  const first = [...treatments.values()][0] as Treatment;
  return {
    methods: [...treatments.keys(), 'OPTIONS'].sort(),
    isApi: true,
    treatment: (method) => treatments.get(method) ?? first,
  };
}

function treatmentOf(route: Route, baseUrl: string, origins: readonly string[]): Treatment {
  const shared = isShared(route);
  const counted = isCounted(route);
  const varies = [
    'Accept-Encoding',
    ...(counted ? ['X-API-Key'] : []),
    ...(origins.length > 0 ? ['Origin'] : []),
  ];
  const headers = {
    ...dataSecurity(baseUrl, shared),
    Vary: varies.join(', '),
    ...(shared && { ...SHARED, ...SIGNALS }),
    ...deprecationHeaders(route),
  };
  return {
    headers: Object.entries(headers).flat(),
    preflight: shared ? Object.entries(PREFLIGHT).flat() : [],
    limit: counted ? 'public' : 'pages',
    bodyLimitBytes: Math.max(route.bodyLimitBytes, BODY_LIMIT_BYTES),
    isStreamed: route.streamed ?? false,
    goneAtMs: goneAtMs(route),
    origins,
  };
}
