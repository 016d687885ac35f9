import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isForWriter } from '#server/reader/reader-listener.ts';

const BASE_URL = 'https://bench.example.org';

const asked = (url: string, headers = {}) => {
  return isForWriter({ url, headers } as IncomingMessage, BASE_URL);
};

describe('isForWriter()', () => {
  test.each([
    '/',
    '/index.md',
    '/leaderboard/30d/yield?q=ada',
    '/operators/ada',
    '/operators/ada.md',
    '/badge/not/a/name.svg',
    '/api/v1/leaderboard?limit=5',
    '/log/checkpoint',
    '/_astro/page.css',
    // Unknown and unclean addresses are the same everywhere.
    '/nowhere',
    '//operators/ada',
    'https://other.example.org/login',
  ])('%s is for the reader', (url) => {
    expect(asked(url)).toBe(false);
    expect(asked(url, { cookie: 'session=1' })).toBe(false);
  });

  test.each([
    '/login',
    '/settings',
    '/submissions',
    '/submissions.md',
    '/transparency',
    '/api/mcp',
    '/api/v1/me',
    '/api/v1/operators/ada/history',
    '/log.ndjson.gz',
    '/oauth/token',
    `${BASE_URL}/login`,
  ])('%s is for the writer', (url) => expect(asked(url)).toBe(true));

  test('so is everything with a token or a key', () => {
    expect(asked('/api/v1/leaderboard', { 'x-api-key': 'k' })).toBe(true);
    expect(asked('/operators/ada', { authorization: 'Bearer t' })).toBe(true);
  });
});
