import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';

describe('readConfig(): the server', () => {
  test.each([
    [{ BASE_URL: 'https://board.test/path' }, 'BASE_URL: must be an origin'],
    [{ PORT: 'http' }, 'PORT: '],
    [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0: set BASE_URL'],
    [{ RATE_LIMIT_PUBLIC: '0' }, 'RATE_LIMIT_PUBLIC: '],
    [{ RATE_LIMIT_WRITES: 'many' }, 'RATE_LIMIT_WRITES: '],
    [{ TRUST_PROXY: 'loopback, proxy.local' }, 'TRUST_PROXY: "proxy.local" is no address'],
    [{ LOG_REQUESTS: 'some' }, 'LOG_REQUESTS: must be one of: all, errors, none'],
  ])('refuses %j', (environment, told) => {
    expect(() => readConfig(environment)).toThrow(told);
  });
});
