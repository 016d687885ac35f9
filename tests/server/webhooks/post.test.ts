import { createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mayContact, post } from '#server/webhooks/post.ts';
import { aReceiver, loopback } from '#tests/support/webhooks/receiver.ts';

function to(url: string) {
  return { url: new URL(url), headers: {}, body: '{}' };
}

describe('post()', () => {
  test('returns the status and what the receiver asks for', async () => {
    const { url, replies } = await aReceiver();
    replies.push({ status: 503, headers: { 'Retry-After': '30' } });

    expect(await post(to(url), { networks: loopback() })).toEqual({
      status: 503,
      retryAfter: '30',
    });
  });

  test.each([
    'https://10.0.0.1/',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
    'https://localhost/',
    'http://8.8.8.8/',
  ])('does not contact %s', async (url) => {
    expect(await post(to(url), { networks: null })).toEqual({ failure: 'address not allowed' });
  });

  test('does not contact a private address by a name that leads to it', async () => {
    const { url, requests } = await aReceiver();
    const named = url.replace('127.0.0.1', 'localhost');

    expect(await post(to(named), { networks: null })).toEqual({ failure: 'address not allowed' });
    expect(requests).toEqual([]);
  });

  test('gives up when the receiver takes too long', async () => {
    const { url, replies } = await aReceiver();
    replies.push('never');

    const result = await post(to(url), { networks: loopback(), timeoutMs: 50 });
    expect(result).toEqual({ failure: 'timed out' });
  });

  test('returns the code of a failed connection', async () => {
    const { url } = await aReceiver();
    const closed = new URL(url);
    closed.port = '1';

    const result = await post(to(closed.href), { networks: loopback() });
    expect(result).toEqual({ failure: 'ECONNREFUSED' });
  });

  test('ends when the board stops', async () => {
    const { url, replies } = await aReceiver();
    replies.push('never');
    const ending = new AbortController();
    const sent = post(to(url), { networks: loopback(), signal: ending.signal });
    ending.abort();

    expect(await sent).toHaveProperty('failure');
  });

  test('does not read an endless response', async () => {
    const server = createServer((_, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const closed = new Promise((resolve) => {
      server.on('connection', (socket) => socket.on('close', resolve).on('error', () => undefined));
    });
    const { port } = server.address() as AddressInfo;

    const result = await post(to(`http://127.0.0.1:${port}/`), { networks: loopback() });
    expect(result).toMatchObject({ status: 200 });
    await closed;
  });
});

describe('mayContact()', () => {
  const networks = new BlockList();
  networks.addSubnet('10.1.0.0', 16, 'ipv4');
  networks.addSubnet('fd12::', 16, 'ipv6');

  test.each([
    ['https://x/', '8.8.8.8', true],
    ['http://x/', '8.8.8.8', false],
    ['http://x/', '10.1.2.3', true],
    ['http://x/', '::ffff:10.1.2.3', true],
    ['https://x/', '10.2.0.1', false],
    ['https://x/', '::ffff:10.2.0.1', false],
    ['http://x/', 'fd12::1', true],
    ['https://x/', 'fd13::1', false],
  ])('of %s at %s is %s', (url, address, isAllowed) => {
    expect(mayContact(new URL(url), address, networks)).toBe(isAllowed);
  });
});
