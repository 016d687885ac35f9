import { CspEvaluator } from 'csp_evaluator';
import { Severity, Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { describe, expect, test } from 'vitest';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { routePolicies } from '#server/http/routes/route-policy.ts';
import { exportedPolicy } from '#server/satellite/files.ts';

const BOARD = 'https://board.example';

/** One address of each kind that the HTTP layer treats differently. */
const PATHS = {
  page: ['/', '/login', '/settings', '/settings/profile', '/operators/ada', '/satellite/', '/none'],
  data: [
    '/api/v1/leaderboard',
    '/api/v1/snapshots',
    '/api/v1/none',
    '/api/mcp',
    '/oauth/token',
    '/index.md',
    '/llms.txt',
    '/opbench.mjs',
    '/log.ndjson.gz',
    '/.well-known/security.txt',
  ],
  picture: ['/avatars/a.webp', '/badge/ada.svg', '/board/logo-1.svg', '/open-graph.png'],
} as const;

function headersAt(path: string, baseUrl = BOARD): Record<string, string> {
  const address = { path, target: path };
  const { headers } = routePolicies(ROUTE_TABLE, { baseUrl })(address).response('GET');
  const pairs = headers.flatMap((name, at) => {
    return at % 2 === 0 ? [[name.toLowerCase(), headers[at + 1] ?? '']] : [];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

const policyAt = (path: string) => headersAt(path)['content-security-policy'] ?? '';

/** Findings that the evaluator rates as severe or possibly severe. */
function severe(policy: string): { type: string | undefined; directive: string }[] {
  const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
  return findings
    .filter(({ severity }) => severity <= Severity.MEDIUM_MAYBE)
    .map(({ type, directive }) => ({ type: Type[type], directive }));
}

/**
 * The evaluator warns of `'self'` for scripts, in case the site serves user content as script. The board does not:
 * user content is served as data, redrawn pictures or escaped text, and browsers must not guess another type
 * (`nosniff`).
 */
const OWN_SCRIPTS = [{ type: 'SCRIPT_ALLOWLIST_BYPASS', directive: 'script-src' }];

describe('content security policies', () => {
  test.each(PATHS.page)('of the page %s has no severe finding except the known one', (path) => {
    expect(severe(policyAt(path))).toEqual(OWN_SCRIPTS);
  });

  test.each([...PATHS.data, ...PATHS.picture])('of %s has no severe finding', (path) => {
    expect(severe(policyAt(path))).toEqual([]);
  });

  test('of the companion site on another host has no severe finding except the known one', () => {
    expect(severe(exportedPolicy(BOARD, 'https://sign-in.example/realm'))).toEqual(OWN_SCRIPTS);
  });

  test('does not let anyone frame a page or data', () => {
    for (const path of [...PATHS.page, ...PATHS.data]) {
      expect(policyAt(path), path).toContain("frame-ancestors 'none'");
    }
  });

  test('lets only the chosen sites frame the small board, and nothing else', () => {
    const at = (path: string, sites?: string[]) => {
      const options = { baseUrl: BOARD, frameAncestors: sites };
      const { headers } = routePolicies(
        ROUTE_TABLE,
        options,
      )({ path, target: path }).response('GET');
      return headers[headers.indexOf('Content-Security-Policy') + 1] ?? '';
    };
    const sites = ['https://blog.example', 'https://wiki.example'];

    expect(at('/embed/board')).toMatch(/; frame-ancestors 'self'$/);
    expect(at('/embed/board', sites)).toMatch(
      /; frame-ancestors 'self' https:\/\/blog\.example https:\/\/wiki\.example$/,
    );
    expect(severe(at('/embed/board', ['*']))).toEqual(OWN_SCRIPTS);
    for (const path of [...PATHS.page, '/embed/none']) {
      expect(at(path, sites), path).toMatch(/; frame-ancestors 'none'$/);
    }
  });

  test('does not let a picture run anything', () => {
    for (const path of PATHS.picture) {
      expect(policyAt(path), path).toBe("default-src 'none'; sandbox");
    }
  });

  test('the evaluator finds the faults of a lax policy', () => {
    const lax = severe("default-src 'none'; script-src 'self' 'unsafe-inline' https:");

    expect(lax.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['SCRIPT_UNSAFE_INLINE', 'PLAIN_URL_SCHEMES']),
    );
  });
});

describe('the other headers', () => {
  test.each(Object.values(PATHS).flat())(
    'of %s protect against type guessing and plain http',
    (path) => {
      expect(headersAt(path)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
    },
  );

  test('do not mention https if the board has none', () => {
    expect(headersAt('/', 'http://127.0.0.1:4321')).not.toHaveProperty('strict-transport-security');
  });

  test.each(PATHS.page)('of the page %s isolate it from other sites and devices', (path) => {
    const headers = headersAt(path);

    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'origin-agent-cluster': '?1',
    });
    for (const feature of ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial']) {
      expect(headers['permissions-policy']).toMatch(new RegExp(`(?:^|, )${feature}=\\(\\)`));
    }
  });

  test('let other sites read only public responses', () => {
    const shared = (path: string) => headersAt(path)['cross-origin-resource-policy'];

    expect(['/api/v1/leaderboard', '/badge/ada.svg'].map(shared)).toEqual([
      'cross-origin',
      'cross-origin',
    ]);
    expect(['/api/v1/me', '/api/v1/account/export', '/api/v1/none'].map(shared)).toEqual([
      'same-origin',
      'same-origin',
      'same-origin',
    ]);
  });
});
