import { describe, expect, test } from 'vitest';
import { isExpected } from '#core/domain/account/joining.ts';
import {
  createInvitation,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from '#server/identity/joining/invitations.ts';
import { acceptedInvitation, acceptInvitation } from '#server/identity/joining/newcomers.ts';
import { inviteByMail } from '#server/identity/joining/invite-by-mail.ts';
import { findOrCreateAccount } from '#server/identity/sign-in/accounts.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { dumpOf, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { UNINVITED } from '#tests/support/http/sign-in.ts';

const ADA = { method: 'github', subject: 'hash of 7', label: 'ada' } as const;
const BO = { method: 'github', subject: 'hash of 8', label: 'bo' } as const;
const REQUEST = { label: 'the spring challenge', cohort_id: null, uses: 1, days: 14 };
const COHORTS = [{ id: 'students', name: 'Students' }];
const RULES = {
  mailDomains: ['example.org'],
  githubOrganizations: ['acme'],
  claims: [{ name: 'groups', value: 'opbench' }],
};

type Join = 'domain' | 'invite' | 'open';

function aBoard(join: Join) {
  const access = { read: 'public', publicBadges: false, join, rules: RULES } as const;
  const ctx = testContext({ access });
  const invite = (over: object = {}) => {
    const { url, id } = createInvitation(
      ctx,
      { ...REQUEST, ...over },
      { baseUrl: BASE_URL, cohorts: COHORTS },
    );
    const token = url.split('/').at(-1) ?? '';
    return { id, token, newcomer: { isExpected: false, invitationHash: sha256Hex(token) } };
  };
  const join_ = (
    identity: typeof ADA | typeof BO,
    newcomer = UNINVITED as { isExpected: boolean; invitationHash: string | null },
  ) => ctx.store.transaction(() => findOrCreateAccount(ctx, identity, newcomer));
  return { ctx, invite, join: join_ };
}

describe('who can join', () => {
  test('an open board takes everyone', () => {
    expect(aBoard('open').join(ADA).created).toBe(true);
  });

  test('a board by invitation takes nobody else, and lets everyone back in', () => {
    const { join, invite } = aBoard('invite');
    const { newcomer } = invite();

    expect(() => join(ADA)).toThrow(refusal('join_refused'));
    expect(() => join(ADA, { isExpected: true, invitationHash: null })).toThrow(
      refusal('join_refused'),
    );
    const { operator_id } = join(ADA, newcomer);
    expect(join(ADA)).toEqual({ operator_id, created: false });
  });

  test('a board for organizations takes expected people, and those with an invitation', () => {
    const { join, invite } = aBoard('domain');
    expect(() => join(ADA)).toThrow(refusal('join_refused'));
    expect(join(ADA, { isExpected: true, invitationHash: null }).created).toBe(true);
    expect(join(BO, invite().newcomer).created).toBe(true);
  });

  test('people are expected by mailbox, organization or claim', () => {
    const cases = [
      [{ mailbox: 'ada@Example.org' }, true],
      [{ mailbox: 'ada@mail.example.org' }, false],
      [{ mailbox: 'ada@example.org.evil.test' }, false],
      [{ githubOrganizations: ['acme'] }, true],
      [{ githubOrganizations: ['other'] }, false],
      [{ claims: { groups: ['staff', 'opbench'] } }, true],
      [{ claims: { groups: 'opbench' } }, true],
      [{ claims: { groups: 'opbench-guests' } }, false],
      [{ claims: {} }, false],
      [{}, false],
    ] as const;
    for (const [proof, expected] of cases)
      expect([proof, isExpected(RULES, proof)]).toEqual([proof, expected]);
  });
});

describe('an invitation', () => {
  test('works as often as it allows, counts only new accounts, and sets the cohort', () => {
    const { ctx, invite, join } = aBoard('invite');
    const { newcomer, token } = invite({ cohort_id: 'students' });

    const { operator_id } = join(ADA, newcomer);
    join(ADA, newcomer);

    expect(ctx.store.operators.byId(operator_id)?.cohort_id).toBe('students');
    expect(readInvitation(ctx, token)).toMatchObject({ uses: 1, state: 'used up' });
    expect(() => join(BO, newcomer)).toThrow(/used up, revoked or has expired/);
  });

  test.each(['revoked', 'expired'] as const)('that is %s lets nobody in', (state) => {
    const { ctx, invite, join } = aBoard('invite');
    const { id, token, newcomer } = invite({ uses: 5 });
    if (state === 'revoked') revokeInvitation(ctx, id);
    else ctx.clock.nowMs += 14 * DAY_MS;

    expect(readInvitation(ctx, token)?.state).toBe(state);
    expect(() => join(ADA, newcomer)).toThrow(refusal('join_refused'));
  });

  test('is not used up by an account that is not created', () => {
    const { ctx, invite, join } = aBoard('open');
    const { newcomer, token } = invite();
    ctx.store.operators.add = () => undefined;
    expect(() => join(ADA, newcomer)).toThrow(refusal('service_unavailable'));
    expect(readInvitation(ctx, token)?.uses).toBe(0);
  });

  test('is stored without its link, and listed without it', () => {
    const { ctx, invite } = aBoard('invite');
    const { token, id } = invite();
    expect(dumpOf(ctx)).not.toContain(token);
    expect(JSON.stringify(listInvitations(ctx))).not.toContain(token);
    expect(listInvitations(ctx)).toMatchObject([{ id, label: REQUEST.label, state: 'open' }]);
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      { action: 'invitation_create', subject: id },
    ]);
  });

  test('rejects values that make no sense', () => {
    const { ctx, invite } = aBoard('invite');
    for (const over of [
      { label: '' },
      { uses: 0 },
      { uses: 1.5 },
      { days: 366 },
      { cohort_id: 'nobody' },
    ]) {
      expect(() => invite(over)).toThrow(refusal('validation_failed'));
    }
    expect(() => revokeInvitation(ctx, 'nothing')).toThrow(refusal('not_found'));
    const { id } = invite();
    revokeInvitation(ctx, id);
    expect(() => revokeInvitation(ctx, id)).toThrow(refusal('state_conflict'));
  });

  test('is remembered in the browser that accepted it', () => {
    const cookie = acceptInvitation(BASE_URL, 'token');
    expect(acceptedInvitation(BASE_URL, cookie.split(';')[0] ?? '')).toBe(sha256Hex('token'));
    expect(acceptedInvitation(BASE_URL, null)).toBeNull();
    expect(cookie).toMatch(/HttpOnly.*SameSite=Lax/);
  });
});

describe('invitations by email', () => {
  const send = async (addresses: string, refused = '') => {
    const { ctx } = aBoard('invite');
    const mails: { to: string; text: string }[] = [];
    const mailer = {
      send: async (mail: { to: string; subject: string; text: string }) => {
        if (mail.to === refused) throw new Error('No such mailbox');
        mails.push(mail);
      },
    };
    const logger = { warn: () => undefined };
    const { label, cohort_id, days } = REQUEST;
    const result = await inviteByMail(
      ctx,
      { label, cohort_id, days, addresses },
      { config: ctx.config, mailer, logger },
    );
    return { ctx, mails, result };
  };

  test('each address gets a link for one person, and no address is stored', async () => {
    const { ctx, mails, result } = await send('ada@example.org, bo@example.org\nADA@example.org');
    expect(result).toEqual({ sent: 2, failed: [] });
    expect(mails.map(({ to }) => to)).toEqual(['ada@example.org', 'bo@example.org']);
    expect(listInvitations(ctx).map(({ most_uses }) => most_uses)).toEqual([1, 1]);
    expect(dumpOf(ctx)).not.toContain('@example.org');
  });

  test('an address that the mail server rejects is named, and its invitation is revoked', async () => {
    const { ctx, result } = await send('ada@example.org bo@example.org', 'bo@example.org');
    expect(result).toEqual({ sent: 1, failed: ['bo@example.org'] });
    expect(
      listInvitations(ctx)
        .map(({ state }) => state)
        .sort(),
    ).toEqual(['open', 'revoked']);
  });

  test('nothing is sent if one address is mistyped, or there are too many', async () => {
    await expect(send('ada@example.org, bo')).rejects.toEqual(refusal('validation_failed'));
    await expect(send(' ')).rejects.toEqual(refusal('validation_failed'));
    const many = Array.from({ length: 101 }, (_, at) => `a${at}@example.org`).join();
    await expect(send(many)).rejects.toEqual(refusal('validation_failed'));
  });
});
