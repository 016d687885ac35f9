import { expect, test } from 'vitest';
import { isLoopbackAddress, isLoopbackHost } from '#core/domain/account/loopback.ts';

test.each(['localhost', 'localhost:4321', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:4321'])(
  '%s is the local device',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  },
);

test.each(['', 'localhost.example.org', 'xlocalhost', '127.0.0.10', '[::1', 'board.example:4321'])(
  '%s is not',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  },
);

test.each(['localhost', '127.0.0.1', '127.20.3.4', '::1', '[::1]', '::ffff:127.0.0.1'])(
  'a connection to %s stays on the device',
  (address) => {
    expect(isLoopbackAddress(address)).toBe(true);
  },
);

test.each(['', '128.0.0.1', '127.0.0.1.example.org', '::2', '::ffff:192.0.2.7', '0.0.0.0'])(
  'a connection to %s does not',
  (address) => {
    expect(isLoopbackAddress(address)).toBe(false);
  },
);
