import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientAddress, clientOf } from '#server/http/request/admission.ts';
import { readProxies } from '#server/config/config.ts';

describe('clientOf()', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::1:2:3:4', '2001:db8:0:0'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['1::', '1:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('counts %s as %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  test('returns the same client for a network of 64 bits, and another for each network', () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map((number) => number.toString(16));
    const four = fc.array(group, { minLength: 4, maxLength: 4 });

    fc.assert(
      fc.property(four, four, (network, host) => {
        expect(clientOf([...network, ...host].join(':'))).toBe(network.join(':'));
      }),
    );
  });
});

describe('clientAddress()', () => {
  const proxies = readProxies('loopback, 10.0.0.0/8, 2001:db8:f::/48');

  test.each([
    ['nothing forwarded', '127.0.0.1', undefined, '127.0.0.1'],
    ['one trusted proxy', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['a proxy spelled as IPv6', '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['a proxy on IPv6', '::1', '203.0.113.7', '203.0.113.7'],
    ['two trusted proxies', '127.0.0.1', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
    [
      'a value that the client wrote itself',
      '127.0.0.1',
      '198.51.100.1, 203.0.113.7',
      '203.0.113.7',
    ],
    ['a client on IPv6', '10.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['a proxy in a network on IPv6', '2001:db8:f:9::1', '203.0.113.7', '203.0.113.7'],
    ['a client with a port', '127.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['a client on IPv6 with a port', '127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['garbage', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['garbage to the left of a valid hop', '127.0.0.1', 'evil, 10.9.9.9', '10.9.9.9'],
    ['nothing beyond garbage', '127.0.0.1', '203.0.113.7, evil, 10.9.9.9', '10.9.9.9'],
    ['an empty value', '127.0.0.1', '', '127.0.0.1'],
    ['only proxies', '127.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
    ['a peer that is not trusted', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a peer just outside the network', '11.0.0.1', '198.51.100.1', '11.0.0.1'],
  ])('reads %s', (_, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(address);
  });

  test('trusts no forwarded address if no proxy is configured', () => {
    expect(clientAddress('127.0.0.1', '203.0.113.7', null)).toBe('127.0.0.1');
  });
});

describe('readProxies()', () => {
  test.each(['', ' ', ',', ' , '])('finds none in %j', (list) => {
    expect(readProxies(list)).toBeNull();
  });

  test.each([
    'localhost',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0',
    'fe80::1%eth0',
    '*',
    '10.0.0.1;10.0.0.2',
  ])('rejects %s by name', (name) => {
    expect(() => readProxies(`127.0.0.1,${name}`)).toThrow(`"${name}" must be an IP address`);
  });
});
