/** `/admin/decisions` as admins and moderators use it, without JavaScript. */
import { describe, expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { textOf } from '#tests/support/board/people.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { aVisitingAdmin, inStore } from '#tests/support/http/admin-callers.ts';
import { type RunningServer, eventually, sharedServer } from '#tests/support/http/server.ts';
import type { Visitor } from '#tests/support/http/visitor.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const HERE = '/admin/decisions';
/** More output in a day than any stream of tokens can produce. */
const TOO_MUCH = { input: 1e6, output: 300e6 };

const impossible = () => bucketsOfDays(1, daysAgo(3), TOO_MUCH);

const board = sharedServer();

async function submitted(server: RunningServer, codename: string, buckets: readonly Bucket[]) {
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  return postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
}

/** A submission that a check puts on hold, and the ticket of its form. */
async function aHeldSubmission(server: RunningServer, codename: string, days = impossible()) {
  const { body } = await submitted(server, codename, days);
  const { visitor } = await aVisitingAdmin(server);
  const { text } = await eventually(
    () => visitor.open(HERE),
    (page) => page.text.includes(body.id),
  );
  const ticket = new RegExp(`name="submission" value="(${body.id}\\.\\d+)"`).exec(text)?.[1] ?? '';
  return { id: body.id, ticket };
}

/** Sends the form of several submissions. */
function decideTogether(visitor: Visitor, action: string, reason: string, tickets: string[]) {
  const fields = tickets.map((ticket): [string, string] => ['submission', ticket]);
  const form = [['bulk', '1'], ['action', action], ['reason', reason], ...fields];
  return visitor.open(HERE, { method: 'POST', body: new URLSearchParams(form as string[][]) });
}

const stateOf = (server: RunningServer, id: string) =>
  inStore(server, ({ submissions }) => submissions.byId(id)?.state);

/** Who decided what about a submission, the newest first. */
const decisionsOn = (server: RunningServer, id: string) =>
  inStore(server, ({ auditLog }) => {
    const entries = auditLog.newest(100).filter(({ subject }) => subject === id);
    return entries.map(({ action, actor, via, reason }) => [action, actor, via, reason]);
  });

describe(HERE, () => {
  test('shows the evidence, and releases a submission without a reason', async () => {
    const server = await board();
    const { id, ticket } = await aHeldSubmission(server, 'rita');
    const { codename, visitor } = await aVisitingAdmin(server, 'moderator');
    const { text } = await visitor.open(HERE);
    const form = { action: 'release', submission: ticket, reason: '' };

    const done = await visitor.post(HERE, form);

    expect(textOf(text)).toMatch(/ rita 2.*300,000,000 output tokens/);
    expect(text).toMatch(/<svg[^>]*role="img"/);
    expect([done.status, done.url]).toEqual([200, `${server.url}${HERE}?done=release`]);
    expect(done.text).toContain('Released. The board counts it again.');
    expect(done.text).not.toContain(id);
    expect(await stateOf(server, id)).toBe('accepted');
    expect(await decisionsOn(server, id)).toEqual([
      ['release', codename, 'page', 'Reviewed by an admin'],
    ]);
  });

  test('shows the exact counts of days that repeat each other, and lists notes', async () => {
    const server = await board();
    await submitted(server, 'nora', bucketsOfDays(3, daysAgo(5)));
    await aHeldSubmission(server, 'rose', bucketsOfDays(3, daysAgo(5), { output: 30_001 }));
    const { visitor } = await aVisitingAdmin(server, 'moderator');

    const { text } = await visitor.open(HERE);

    expect(textOf(text)).toMatch(
      / rose 3 days.* the same as on other days.*(claude-code 1,10030,001100,0001,000,000.*){3}/,
    );
    expect(textOf(text)).toMatch(/Notes of the last 30 days.* nora, .* the same as on other days/);
  });

  test('does not reject without a reason, and keeps the reason that was too long', async () => {
    const server = await board();
    const { id, ticket } = await aHeldSubmission(server, 'rob');
    const { codename, visitor } = await aVisitingAdmin(server);
    const form = { action: 'reject', submission: ticket };
    const long = 'x'.repeat(301);

    const empty = await visitor.post(HERE, { ...form, reason: '  ' });
    const tooLong = await visitor.post(HERE, { ...form, reason: long });

    expect([empty.status, tooLong.status]).toEqual([422, 422]);
    expect(empty.text).toContain('<title>Not saved: Decisions');
    expect(empty.text).toMatch(/id="decide-[\w-]+-fault" class="fault" role="alert"/);
    expect(tooLong.text).toContain(`value="${long}"`);
    expect([await stateOf(server, id), await decisionsOn(server, id)]).toEqual(['held', []]);
    const rejected = await visitor.post(HERE, { ...form, reason: 'Made up' });
    expect(rejected.text).toContain('Rejected. It does not count.');
    expect(await stateOf(server, id)).toBe('rejected');
    expect(await decisionsOn(server, id)).toEqual([['reject', codename, 'page', 'Made up']]);
  });

  test('decides several with one reason, and says which somebody else decided first', async () => {
    const server = await board();
    const first = await aHeldSubmission(server, 'sam');
    const second = await aHeldSubmission(server, 'sue');
    const tickets = [first.ticket, second.ticket];
    const [grace, alan] = [await aVisitingAdmin(server), await aVisitingAdmin(server)];
    await grace.visitor.open(HERE);

    const none = await decideTogether(grace.visitor, 'reject', 'Copied', []);
    const unfinished = await decideTogether(grace.visitor, 'reject', '', tickets);
    await alan.visitor.post(HERE, {
      action: 'release',
      submission: first.ticket,
      reason: 'I know this team',
    });
    const mixed = await decideTogether(grace.visitor, 'reject', 'Copied', tickets);

    expect([none.status, unfinished.status, mixed.status]).toEqual([422, 422, 409]);
    expect(textOf(none.text)).toContain('Select a submission');
    const checked = /<input(?=[^>]*type="checkbox")(?=[^>]*\schecked)[^>]*>/g;
    expect(unfinished.text.match(checked)).toHaveLength(2);
    expect(textOf(mixed.text)).toContain('1 submission rejected.');
    expect(textOf(mixed.text)).toContain(`Decided first by ${alan.codename} (release, `);
    expect(textOf(mixed.text)).toContain('I know this team');
    expect(await stateOf(server, first.id)).toBe('accepted');
    expect(await stateOf(server, second.id)).toBe('rejected');
    expect(await decisionsOn(server, first.id)).toHaveLength(1);
  });

  test('shows the second of two admins what the first decided, and changes nothing', async () => {
    const server = await board();
    const { id, ticket } = await aHeldSubmission(server, 'tom');
    const [grace, alan] = [await aVisitingAdmin(server), await aVisitingAdmin(server)];
    await Promise.all([grace.visitor.open(HERE), alan.visitor.open(HERE)]);
    const reject = { action: 'reject', submission: ticket, reason: 'Not plausible' };

    const first = await grace.visitor.post(HERE, reject);
    const second = await alan.visitor.post(HERE, { ...reject, action: 'release', reason: '' });
    const again = await grace.visitor.post(HERE, reject);

    expect([first.status, second.status, again.status]).toEqual([200, 409, 409]);
    expect(textOf(second.text)).toMatch(
      new RegExp(
        `Decided first by ${grace.codename} \\(reject, .*Not plausible.*Nothing was changed`,
      ),
    );
    expect(await stateOf(server, id)).toBe('rejected');
    expect(await decisionsOn(server, id)).toHaveLength(1);
  });

  test('does not apply a decision to a submission that was held again for another reason', async () => {
    const server = await board();
    const { id, ticket } = await aHeldSubmission(server, 'uma');
    const { visitor } = await aVisitingAdmin(server);
    const held = await runAdmin(['hold', id, '--reason', 'I asked uma'], {
      DATA_DIR: server.dataDir,
    });

    const late = await visitor.post(HERE, { action: 'release', submission: ticket, reason: '' });

    expect(held.status).toBe(0);
    expect(late.status).toBe(409);
    expect(textOf(late.text)).toContain('Decided first by a command on the server');
    expect(await stateOf(server, id)).toBe('held');
    expect(textOf(late.text)).toContain('An admin put it on hold: I asked uma');
  });

  test('puts a submission on hold, and explains wrong IDs', async () => {
    const server = await board();
    const { id, ticket } = await aHeldSubmission(server, 'val');
    const { visitor } = await aVisitingAdmin(server);
    await visitor.post(HERE, { action: 'release', submission: ticket, reason: '' });
    const hold = { action: 'hold', reason: 'A question about two days' };

    const unknown = await visitor.post(HERE, { ...hold, id: 'x' });
    const done = await visitor.post(HERE, { ...hold, id: ` ${id} ` });
    const forged = await visitor.post(HERE, { action: 'release', submission: id, reason: '' });

    expect([unknown.status, done.status, forged.status]).toEqual([404, 200, 409]);
    expect(unknown.text).toContain('value="x"');
    expect(done.text).toContain('The submission is on hold.');
    expect(textOf(forged.text)).toContain('does not exist any more');
    expect(await stateOf(server, id)).toBe('held');
  });

  test('lets moderators decide only about submissions of operators', async () => {
    const server = await board();
    const { id, ticket } = await aHeldSubmission(server, 'wim');
    await runAdmin(['admin', 'add', 'wim', '--role', 'moderator'], { DATA_DIR: server.dataDir });
    const { visitor } = await aVisitingAdmin(server, 'moderator');

    const { text } = await visitor.open(HERE);
    const refused = await visitor.post(HERE, { action: 'release', submission: ticket, reason: '' });

    expect(text).toContain('Only admins can decide about submissions of moderators and admins.');
    expect(text).not.toContain(ticket);
    expect(refused.status).toBe(409);
    expect(await stateOf(server, id)).toBe('held');
  });
});
