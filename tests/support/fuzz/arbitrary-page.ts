/** Requests to every page and file that is not an operation in the OpenAPI document, including forms and messages. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { mutatedJson, mutatedText } from './arbitrary-mutation.ts';
import type { Asked, Known } from './arbitrary-request.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { ROOT } from '../board/context.ts';

/** Pages without a fixed address. Each stands for all addresses that do not exist or that fail. */
const NO_PAGES = ['/404', '/500'];
/** Addresses that are not served by a file of `src/pages`. */
const OTHERS = [
  '/healthz',
  '/readyz',
  '/satellite/',
  '/opbench.mjs',
  '/opbench.tgz',
  '/opbench.mcpb',
  '/opbench.json',
  '/index.md',
  '/leaderboard/30d/yield.md',
  '/operators/{codename}.md',
  '/none',
];

/** The addresses that files of `src/pages` serve, with their parameters in braces. */
export function pagePaths(): string[] {
  const folder = join(ROOT, 'src', 'pages');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && !file.name.startsWith('_'))
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name).slice(folder.length).replaceAll('\\', '/');
      const address = path.replace(/\.(?:astro|ts)$/, '').replace(/\/index$/, '') || '/';
      return address.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}');
    });
  return [...new Set([...paths, ...ROUTES.map(({ path }) => path), ...OTHERS])]
    .filter((path) => !NO_PAGES.includes(path))
    .sort();
}

/** The fields of all forms and possible values, without signing out or deleting the account. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  action: [
    'allow',
    'avatar',
    'codename',
    'contact',
    'deny',
    'end-others',
    'new-key',
    'profile',
    'remove-avatar',
    'rename',
    'revoke',
  ],
  address: ['a@b.example'],
  bio: [],
  client_id: ['web', 'satellite'],
  code: ['123456', 'ABCDE-FGHJK-MNPQR'],
  cohort_id: [],
  codename: ['ada', '-'],
  confirm: ['no'],
  device: ['1'],
  display_name: [],
  file: [],
  grant_type: ['authorization_code', 'refresh_token'],
  id: ['1', '00000000-0000-4000-8000-000000000000'],
  label: [],
  message: [],
  privacy_mode: ['identified', 'nobody'],
  reason: [],
  redirect_uri: ['http://127.0.0.1/x', 'javascript:alert(1)'],
  subject: [],
  token: [],
};

const MESSAGES = [
  { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  {
    jsonrpc: '2.0',
    id: 'a',
    method: 'tools/call',
    params: { name: 'get_leaderboard', arguments: { window: '7d', limit: 3 } },
  },
  {
    jsonrpc: '2.0',
    id: 2,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    },
  },
  { redirect_uris: ['http://127.0.0.1/a'], client_name: 'A', token_endpoint_auth_method: 'none' },
];

/** A request to an address, either valid for that address or not. */
export function aPageRequest(path: string, known: Known): fc.Arbitrary<Asked> {
  const junk = fc.string({ maxLength: 60, unit: 'grapheme' }).map((text) => text.toWellFormed());
  const value = (name: string) => {
    const values = known[name] ?? FIELDS[name] ?? [];
    return values.length === 0 ? junk : fc.oneof(fc.constantFrom(...values), junk);
  };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const address = fc.tuple(...names.map(value)).map((values) => {
    let at = 0;
    return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[at++] ?? ''));
  });
  const pair = fc
    .constantFrom(...Object.keys(FIELDS), 'state', 'error', 'after', 'q', 'with', 'resource')
    .chain((name) => value(name).map((text) => [name, text] as const));
  const pairs = fc.array(pair, { maxLength: 5 }).map((each) => {
    return new URLSearchParams(each.map(([name, text]) => [name, text])).toString();
  });
  const read = fc.tuple(address, pairs).map(([target, query]): Asked => ({
    method: 'GET',
    address: query === '' ? target : `${target}?${query}`,
    headers: {},
    body: null,
  }));
  return fc.oneof(read, ...[pairs, mutatedText(['a=b&c=d'])].map(formTo(address)), toMcp(address));
}

const formTo =
  (address: fc.Arbitrary<string>) =>
  (form: fc.Arbitrary<string>): fc.Arbitrary<Asked> =>
    fc.tuple(address, form).map(([target, body]) => ({
      method: 'POST',
      address: target,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    }));

function toMcp(address: fc.Arbitrary<string>): fc.Arbitrary<Asked> {
  const message = fc.oneof(
    mutatedJson(MESSAGES),
    fc.constantFrom(...MESSAGES).map((each) => JSON.stringify(each)),
  );
  return fc.tuple(address, message).map(([target, body]) => ({
    method: 'POST',
    address: target,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body,
  }));
}
