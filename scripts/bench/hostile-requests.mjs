// The worst requests that the limits allow, for every address of a board, all without an account.
import { gzipSync } from 'node:zlib';
import { BODY_LIMIT_BYTES, MCP_LIMIT_BYTES } from '#core/contract/limits.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { ENVELOPE_MEDIA_TYPE, SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import { randomOf } from '../random.mjs';

/** A request head may have 16 KiB; this leaves room for the rest of it. */
const FIELD = 15_000;
const GZIP = { 'Content-Encoding': 'gzip' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BOUNDARY = 'b';
const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

const fill = (part, length) => part.repeat(Math.floor(length / part.length));
const numbered = (count, textOf) => Array.from({ length: count }, (_, at) => textOf(at));

/** JSON of some length that is expensive for its size. */
const JSONS = {
  'lists in lists': (length) => `[${fill(`${'['.repeat(60)}${']'.repeat(60)},`, length - 10)}0]`,
  'lists without end': (length) => '['.repeat(length),
  objects: (length) => `[${fill('{"a":1},', length - 10)}0]`,
  'objects of many keys': (length) => {
    const object = `{${numbered(250, (key) => `"${key}":1`).join()}},`;
    return `[${fill(object, length - 10)}0]`;
  },
  'one object of many keys': (length) => {
    const keys = numbered(Math.floor(length / 11), (key) => `"${String(key).padStart(6, '0')}":1`);
    return `{${keys.join()}}`;
  },
  numbers: (length) => `[${fill('1,', length - 10)}0]`,
  texts: (length) => `[${fill('"",', length - 10)}0]`,
  'quotation marks': (length) => `{"a":"${fill('\\"', length - 20)}"}`,
  backslashes: (length) => `{"a":"${fill('\\\\', length - 20)}"}`,
  escapes: (length) => `{"a":"${fill('\\u0041', length - 20)}"}`,
  space: (length) => `${' '.repeat(length - 2)}{}`,
  'no UTF-8 at the end': (length) => Buffer.from(`{"a":"${'\xe9'.repeat(length - 20)}"}`, 'latin1'),
};

const ofJson = (length) => {
  return Object.entries(JSONS).map(([what, make]) => [what, JSON_TYPE, make(length)]);
};

/** Requests that are refused at the end of what they cost: envelopes with this key, which did not sign. */
function envelopes(keyid, length) {
  const random = randomOf(7);
  const envelope = (payload, name) => {
    const signatures = [{ keyid: name, sig: Buffer.alloc(64, 3).toString('base64') }];
    return JSON.stringify({ payloadType: SNAPSHOT_PAYLOAD_TYPE, payload, signatures });
  };
  const bytes = Math.floor(((length - 400) / 4) * 3);
  const noise = Buffer.from(Uint8Array.from({ length: bytes }, () => 256 * random()));
  const unknown = `SHA256:${'A'.repeat(43)}`;
  // Half of it compresses to nothing, so that all of it stays below any ratio.
  const half = Buffer.concat([noise.subarray(0, bytes / 80), Buffer.alloc(bytes - bytes / 80)]);
  const texts = {
    'envelope of an unknown key': envelope(noise.toString('base64'), unknown),
    'envelope of a known key': envelope(noise.toString('base64'), keyid),
    'envelope that is small when compressed': envelope(half.toString('base64'), keyid),
    'envelope whose base64 is none': envelope(`${noise.toString('base64').slice(0, -9)}!`, keyid),
  };
  return Object.entries(texts);
}

/** A body that is so much smaller than what it becomes, and has some noise to stay below any ratio. */
function compressed(text) {
  const random = randomOf(3);
  const noise = numbered(6_000, () => Math.floor(random() * 1e9)).join();
  return gzipSync(
    `[${noise},${Buffer.from(text)
      .toString('latin1')
      .slice(1 + noise.length)}`,
  );
}

function snapshotBodies(keyid, length) {
  const type = { 'Content-Type': ENVELOPE_MEDIA_TYPE };
  const plain = [
    ...Object.entries(JSONS).map(([what, make]) => [what, make(length)]),
    ...envelopes(keyid, length),
  ];
  return plain.flatMap(([what, text]) => [
    [what, type, text],
    [`${what}, gzip`, { ...type, ...GZIP }, gzipSync(text)],
    ...(what in JSONS ? [[`${what}, gzip and noise`, { ...type, ...GZIP }, compressed(text)]] : []),
  ]);
}

function formBodies(length) {
  const part = (name) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`;
  return [
    ['fields', FORM, fill('a&', length)],
    ['escapes', FORM, fill('%41', length)],
    ['broken escapes', FORM, fill('%E0%', length)],
    ['parts', MULTIPART, `${fill(part('a'), length - 20)}--${BOUNDARY}--`],
    ['boundaries', MULTIPART, fill(`\r\n--${BOUNDARY}`, length)],
    ['one part', MULTIPART, `${part('file')}${'\r\n-'.repeat(length / 4)}\r\n--${BOUNDARY}--`],
  ];
}

/** Heads that are as long as they may be, and as much work as they can be. */
const HEADS = {
  'many Accept': { Accept: fill('text/markdown;q=0.1,', FIELD) },
  'many Accept-Encoding': { 'Accept-Encoding': fill('br;q=0,', FIELD) },
  'many If-None-Match': { 'If-None-Match': fill('W/"a",', FIELD) },
  'many cookies': { Cookie: fill('a=b; ', FIELD) },
  'long cookies': { Cookie: fill('__Host-session=a.b.c; session=a.b; ', FIELD) },
  'long Authorization': { Authorization: `Bearer ${fill('a.b-', FIELD)}` },
  'a long JWT': { Authorization: `Bearer ${jwt({ alg: 'ES256', typ: 'at+jwt', kid: 'a' })}` },
  'a device token': { Authorization: `Bearer ${jwt({ alg: 'EdDSA', typ: 'opbench-device+jwt' })}` },
  'a long x-api-key': { 'x-api-key': `ob_${fill('1_', FIELD)}` },
  'many forwarded': { 'X-Forwarded-For': `${fill('127.0.0.1, ', FIELD)}` },
  'many fields': Object.fromEntries(numbered(900, (at) => [`X-${at}`, 'a'])),
};

function jwt(header) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: 'a', aud: fill('a', 10_000) };
  return [part(header), part(claims), Buffer.alloc(64).toString('base64url')].join('.');
}

const QUERIES = {
  'no query': '',
  parameters: numbered(3_300, (at) => `${at.toString(36)}&`)
    .join('')
    .slice(0, FIELD),
  'one parameter, again and again': fill('a&', FIELD),
  'escapes in the query': `q=${fill('%41', FIELD)}`,
  'broken escapes in the query': `q=${fill('%E0%A4', FIELD)}`,
  'long q': `q=${fill('a', FIELD)}`,
  'q that fits nobody': 'q=zzzz&limit=100',
  'q that fits all': 'q=s&limit=100',
  'large numbers': `limit=${fill('9', 7_000)}&cursor=${fill('9.', 7_000)}`,
  'a large cursor': `cursor=${fill('9', 300)}.${fill('9', 300)}.1.1`,
};

const LONG_PATHS = [
  fill('%41', FIELD),
  fill('-a', FIELD),
  fill('%E0%A4', FIELD),
  fill('a.', FIELD),
];
const ODD_PATHS = [
  '/',
  '/badge/',
  '/login/interaction/',
  '/oauth/authorize/',
  '/operators/',
].flatMap((start) =>
  [...LONG_PATHS, fill('./', FIELD), fill('//', FIELD), fill('../', FIELD)].map(
    (path) => start + path,
  ),
);

/** Pages, and addresses of the provider, besides the contract's. */
const PAGES = [
  '/',
  '/leaderboard/30d',
  '/operators/synthetic-000001',
  '/operators/synthetic-000001.md',
  '/operators/synthetic-000001?with=synthetic-000002',
  '/badge/synthetic-000001.svg',
  '/submissions',
  '/where-am-i',
  '/developers',
  '/login',
  '/settings',
  '/auth/callback',
  '/oauth/authorize',
  '/oauth/userinfo',
  '/feed.atom',
  '/sitemap.xml',
  '/healthz',
];
const FORMS = [
  '/login/link',
  '/login/mail/link',
  '/settings',
  '/settings/data',
  '/login/interaction/a',
];
const PROVIDER_BYTES = 16 * 1024;

/** A concrete path of a route. */
function pathOf({ path }) {
  return path
    .replace('{codename}', 'synthetic-000001')
    .replace('{metric}', 'yield')
    .replace(/\{\w+\}/g, '01890f3a-0000-7000-8000-000000000000');
}

const get = (address, path) =>
  [
    ...Object.entries(QUERIES).map(([what, query]) => {
      return { address, what, path: query && `${path}${path.includes('?') ? '&' : '?'}${query}` };
    }),
    ...Object.entries(HEADS).map(([what, headers]) => ({ address, what, path, headers })),
  ].map((asked) => ({ method: 'GET', headers: {}, ...asked, path: asked.path || path }));

const post = (address, path, bodies, method = 'POST') => {
  return bodies.map(([what, headers, body]) => ({ address, what, path, method, headers, body }));
};

/**
 * All of them: `address` as a reader knows it, `what` is worst about it, and the request.
 *
 * @param keyid The key of an enrolled device, which everybody can read in the log.
 */
export function hostileRequests(keyid) {
  const mcp = { ...JSON_TYPE, Accept: 'application/json, text/event-stream' };
  const call = (name, given) => {
    const params = { name, arguments: given };
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  };
  const messages = [
    ['list of tools', mcp, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
    ['leaderboard', mcp, call('get_leaderboard', { limit: 100, tool: 'codex', q: 's' })],
    ['operator', mcp, call('get_operator', { codename: 'synthetic-000001' })],
    ['long name of a tool', mcp, call('a'.repeat(60_000), {})],
    ['long argument', mcp, call('get_operator', { codename: 'a'.repeat(60_000) })],
    [
      'many arguments',
      mcp,
      call('get_operator', Object.fromEntries(numbered(250, (at) => [at, at]))),
    ],
  ];
  return [
    ...ROUTES.filter(({ method }) => method === 'GET').flatMap((route) => {
      return get(`GET ${route.path}`, pathOf(route));
    }),
    ...ROUTES.filter(({ method }) => method !== 'GET').flatMap((route) => {
      const address = `${route.method} ${route.path}`;
      if (route.id === 'submitSnapshot') {
        return post(address, pathOf(route), snapshotBodies(keyid, route.bodyLimitBytes));
      }
      const length = Math.max(route.bodyLimitBytes, BODY_LIMIT_BYTES);
      const bodies = [
        ...ofJson(length),
        ...ofJson(length).map(([what, headers, body]) => {
          return [`${what}, gzip`, { ...headers, ...GZIP }, gzipSync(body)];
        }),
        ...formBodies(length),
      ];
      return post(address, pathOf(route), bodies, route.method);
    }),
    ...PAGES.flatMap((path) => get(`GET ${path}`, path)),
    ...ODD_PATHS.map((path) => ({
      ...{ address: 'GET odd paths', method: 'GET', path, headers: {} },
      what: `${path.slice(0, 24)}...`,
    })),
    ...FORMS.flatMap((path) => post(`POST ${path}`, path, formBodies(BODY_LIMIT_BYTES))),
    ...post('POST /settings/profile', '/settings/profile', formBodies(2 * 1024 * 1024)),
    ...['/oauth/register', '/oauth/token', '/oauth/revoke'].flatMap((path) => {
      return post(`POST ${path}`, path, [...ofJson(PROVIDER_BYTES), ...formBodies(PROVIDER_BYTES)]);
    }),
    ...post('POST /api/mcp', '/api/mcp', [
      ...ofJson(MCP_LIMIT_BYTES),
      ...ofJson(BODY_LIMIT_BYTES).map(([what, ...rest]) => [`${what}, 64 KiB`, ...rest]),
      ...messages,
    ]),
  ];
}
