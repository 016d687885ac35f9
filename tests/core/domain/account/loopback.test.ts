import { expect, test } from 'vitest';
import { isLoopbackHost } from '#core/domain/account/loopback.ts';

test.each(['localhost', 'localhost:4321', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:4321'])(
  '%s names the machine itself',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  },
);

test.each(['', 'localhost.example.org', 'xlocalhost', '127.0.0.10', '[::1', 'board.example:4321'])(
  '%s does not',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  },
);
