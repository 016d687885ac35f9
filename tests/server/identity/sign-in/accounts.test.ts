import { describe, expect, test } from 'vitest';
import {
  findOrCreateAccount,
  linkIdentity,
  subjectOf,
  unlinkMethod,
  readAccountEvents,
  readAccountMethods,
} from '#server/identity/sign-in/accounts.ts';
import { sendSignInMail } from '#server/identity/sign-in/send-sign-in-mail.ts';
import { dumpOf, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { UNINVITED, aBrowser, aPostOffice, anAskingProvider } from '#tests/support/http/sign-in.ts';

const GITHUB = { method: 'github', subject: 'hash of 7', label: 'octocat' } as const;
const MAIL = { method: 'email_magic_link', subject: 'hash of ada@', label: 'a...@x.org' } as const;

function anAccount() {
  const ctx = testContext();
  const { operator_id } = findOrCreateAccount(ctx, GITHUB, UNINVITED);
  const ids = () => readAccountMethods(ctx, operator_id).map(({ id }) => id);
  return { ctx, operator_id, ids };
}

describe('unlinkMethod()', () => {
  test('unlinks one of several methods, which another account can then link', () => {
    const { ctx, operator_id, ids } = anAccount();
    ctx.clock.nowMs += 1;
    linkIdentity(ctx, operator_id, MAIL);
    unlinkMethod(ctx, operator_id, ids()[0] ?? '');

    expect(readAccountMethods(ctx, operator_id)).toMatchObject([{ label: MAIL.label }]);
    expect(findOrCreateAccount(ctx, GITHUB, UNINVITED).created).toBe(true);
    expect(readAccountEvents(ctx, operator_id).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['method_unlinked', 'GitHub: octocat'],
      ['method_linked', 'Email: a...@x.org'],
      ['signed_in', 'GitHub: octocat'],
    ]);
  });

  test('invalidates pending links to a mailbox', async () => {
    const { ctx, operator_id, ids } = anAccount();
    const address = 'ada@example.org';
    const { cookieHeader } = aBrowser('one');
    const subject = subjectOf(ctx, 'email_magic_link', address);
    ctx.clock.nowMs += 1;
    linkIdentity(ctx, operator_id, { ...MAIL, subject });
    anAskingProvider(ctx);
    const purpose = { interaction: 'one', operator_id: null };
    const { mailer } = aPostOffice();
    await sendSignInMail(ctx, { address, purpose, cookieHeader, client: 'c', mailer });
    unlinkMethod(ctx, operator_id, ids()[1] ?? '');

    expect(dumpOf(ctx)['mail_links']).toEqual([]);
  });

  test('throws method_last for the only method', () => {
    const { ctx, operator_id, ids } = anAccount();
    const before = dumpOf(ctx);

    expect(() => unlinkMethod(ctx, operator_id, ids()[0] ?? '')).toThrow(refusal('method_last'));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test("throws not_found for another account's method", () => {
    const { ctx, operator_id, ids } = anAccount();
    const other = findOrCreateAccount(ctx, MAIL, UNINVITED).operator_id;

    expect(() => unlinkMethod(ctx, other, ids()[0] ?? '')).toThrow(refusal('not_found'));
    expect(readAccountMethods(ctx, operator_id)).toHaveLength(1);
  });
});

describe('linkIdentity()', () => {
  test('links up to ten methods to an account, and linking one twice has no effect', () => {
    const { ctx, operator_id, ids } = anAccount();
    const link = (at: number) =>
      linkIdentity(ctx, operator_id, { ...MAIL, subject: `hash of mailbox ${at}` });
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 9].forEach(link);

    expect(() => link(10)).toThrow(refusal('validation_failed'));
    expect(ids()).toHaveLength(10);
  });
});

describe('findOrCreateAccount()', () => {
  test('never merges accounts with the same label', () => {
    const { ctx, operator_id } = anAccount();
    const other = findOrCreateAccount(ctx, { ...GITHUB, subject: 'hash of 8' }, UNINVITED);

    expect(other).toMatchObject({ created: true });
    expect(other.operator_id).not.toBe(operator_id);
  });
});
