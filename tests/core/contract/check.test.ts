import { expect, test } from 'vitest';
import { contractFaults } from '../../../scripts/check-contract.mjs';

const read = { id: 'getThing', method: 'GET', path: '/api/v1/things/{id}' };
const list = { id: 'listThings', method: 'GET', path: '/api/v1/things' };
const make = { id: 'makeThing', method: 'POST', path: '/api/v1/things' };
const ROUTES = [read, list, make];

test('reports nothing if every route has a handler', () => {
  expect(contractFaults(ROUTES, [list, make, read])).toEqual([]);
});

test('reports a route without a handler', () => {
  expect(contractFaults(ROUTES, [list, make])).toEqual([
    'Not implemented: GET /api/v1/things/{id} (getThing)',
  ]);
});

test('reports a handler without a route', () => {
  const secret = { id: 'getSecret', method: 'GET', path: '/api/v1/secret' };
  expect(contractFaults(ROUTES, [...ROUTES, secret])).toEqual([
    'Not in the contract: GET /api/v1/secret (getSecret)',
  ]);
});

test('reports a route with two handlers', () => {
  expect(contractFaults(ROUTES, [...ROUTES, read])).toEqual([
    'Implemented twice: GET /api/v1/things/{id} (getThing)',
  ]);
});
