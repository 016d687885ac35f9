/** Webhooks of the built server. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { payloadIn } from '#tests/support/webhooks/board.ts';
import { type Receiver, aReceiver } from '#tests/support/webhooks/receiver.ts';
import { isGenuine } from '#tests/support/webhooks/verify.ts';

const env = { WEBHOOK_NETWORKS: 'loopback', REFRESH_SECONDS: '3600' };

async function writeToAdmin(server: RunningServer): Promise<void> {
  const sent = await fetch(`${server.url}/api/v1/contact`, {
    method: 'POST',
    headers: {
      Cookie: await server.signIn('ada'),
      'Content-Type': 'application/json',
      Origin: server.url,
    },
    body: JSON.stringify({ subject: 'Hello', message: 'A secret' }),
  });
  expect(sent.ok).toBe(true);
}

const received = ({ requests }: Receiver, count: number) =>
  eventually(
    () => Promise.resolve(requests),
    ({ length }) => length >= count,
  );

/** The server's setting is read from its note. */
async function addWebhook({ dataDir }: RunningServer, url: string): Promise<string> {
  const { stdout } = await runAdmin(['webhook', 'add', url], { DATA_DIR: dataDir });
  return stdout.trim();
}

describe('a webhook of a running board', () => {
  test('receives a signed event', async () => {
    const receiver = await aReceiver();
    const server = await startServer({ env });
    const secret = await addWebhook(server, receiver.url);
    await writeToAdmin(server);
    const [request] = await received(receiver, 1);

    expect(request && (await isGenuine(request, secret, Date.now()))).toBe(true);
    expect(payloadIn(request?.body ?? '').type).toBe('message.received');
    expect(request?.body).not.toMatch(/ada|Hello|secret/);
  });

  test('receives an event again, with the same ID, after kill -9 during a request', async () => {
    const receiver = await aReceiver();
    receiver.replies.push('never');
    const server = await startServer({ env });
    await addWebhook(server, receiver.url);
    await writeToAdmin(server);
    await received(receiver, 1);
    await server.stop('SIGKILL');
    // As if the minute had passed for which the attempt belongs to the process that was killed.
    const db = new Database(join(server.dataDir, 'opbench.sqlite'));
    db.exec(`UPDATE webhook_deliveries SET next_at = '2000-01-01T00:00:00.000Z'`);
    db.close();
    await startServer({ env, dataDir: server.dataDir });
    const [first, second] = await received(receiver, 2);

    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const [one, other] = [first, second].map((request) => payloadIn(request?.body ?? ''));
    expect(other?.data).toEqual(one?.data);
  });
});
