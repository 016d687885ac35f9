import { describe, expect, test } from 'vitest';
import { readConfig } from '#server/config/config.ts';

describe('readConfig(): the server', () => {
  test.each([
    [{ BASE_URL: 'https://board.test/path' }, 'BASE_URL: must be an address without a path'],
    [{ PORT: 'http' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ PORT: '1.5' }, 'PORT: must be a whole number'],
    [{ REFRESH_SECONDS: 'x' }, 'REFRESH_SECONDS: must be a number of seconds'],
    [{ HOST: '0.0.0.0' }, 'BASE_URL: must be set because HOST is 0.0.0.0'],
    [{ RATE_LIMIT_PUBLIC: '0' }, 'RATE_LIMIT_PUBLIC: '],
    [{ RATE_LIMIT_WRITES: 'many' }, 'RATE_LIMIT_WRITES: '],
    [{ TRUST_PROXY: 'loopback, proxy.local' }, 'TRUST_PROXY: "proxy.local" must be an IP address'],
    [{ READ: 'friends' }, 'READ: must be public or members (it is "friends")'],
    [{ PUBLIC_BADGES: 'true' }, 'PUBLIC_BADGES: must be yes or no (it is "true")'],
    [{ LOG_REQUESTS: 'some' }, 'LOG_REQUESTS: must be all, errors or none (it is "some")'],
  ])('rejects %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  test('quotes an invalid value unless it can hold a password', () => {
    expect(() => readConfig({ BASE_URL: 'foo' })).toThrow('(it is "foo")');
    expect(() => readConfig({ SMTP_URL: 'http://a:hunter2@b.example' })).not.toThrow('hunter2');
  });
});
