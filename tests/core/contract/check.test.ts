import { describe, expect, test } from 'vitest';
import { contractFaults } from '../../../scripts/check-contract.mjs';

const read = { id: 'getThing', method: 'GET', path: '/api/v1/things/{id}' };
const list = { id: 'listThings', method: 'GET', path: '/api/v1/things' };
const make = { id: 'makeThing', method: 'POST', path: '/api/v1/things' };
const ROUTES = [read, list, make];

const things = { file: 'api/v1/things/index.ts', routes: [list, make] };
const thing = { file: 'api/v1/things/[id].ts', routes: [read] };

describe('contractFaults()', () => {
  test('finds none where every route has its page', () => {
    expect(contractFaults(ROUTES, [things, thing])).toEqual([]);
  });

  test('names a route that no page binds', () => {
    expect(contractFaults(ROUTES, [things])).toEqual([
      'No page binds GET /api/v1/things/{id} (getThing)',
    ]);
  });

  test('names a page whose route no list has', () => {
    const secret = { id: 'getSecret', method: 'GET', path: '/api/v1/secret' };
    const page = { file: 'api/v1/secret.ts', routes: [secret] };
    expect(contractFaults(ROUTES, [things, thing, page])).toEqual([
      'src/pages/api/v1/secret.ts binds GET /api/v1/secret (getSecret), which no list has',
    ]);
  });

  test('names a page at another path than its route says', () => {
    const moved = { file: 'api/v1/thing/[id].ts', routes: [read] };
    expect(contractFaults(ROUTES, [things, moved])).toEqual([
      'src/pages/api/v1/thing/[id].ts binds GET /api/v1/things/{id} (getThing) at /api/v1/thing/{id}',
    ]);
  });

  test('names a route that two pages bind', () => {
    const again = { file: 'api/v1/things/[id]/index.ts', routes: [read] };
    expect(contractFaults(ROUTES, [things, thing, again])).toEqual([
      'src/pages/api/v1/things/[id]/index.ts binds GET /api/v1/things/{id} (getThing), which another page binds too',
    ]);
  });

  test('names a page that binds nothing', () => {
    const page = { file: 'api/v1/open.ts', routes: undefined };
    expect(contractFaults(ROUTES, [things, thing, page])).toEqual([
      'src/pages/api/v1/open.ts does not export ALL = endpoint(...)',
    ]);
  });
});
