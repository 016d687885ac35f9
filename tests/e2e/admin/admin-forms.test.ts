/** Every form of the admin pages, sent by every caller, with its action only: does the page run it? */
import { describe, expect, test } from 'vitest';
import { ADMIN_RIGHTS, type AdminRight } from '#core/domain/account/admin-right.ts';
import { announceOn } from '#tests/support/board/contests.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { CALLERS, type Who, anAccount, cookieOf } from '#tests/support/http/admin-callers.ts';
import { sharedServer } from '#tests/support/http/server.ts';

/** `run` if the action began, whatever it then said about its fields. */
type Outcome = 'again' | 'missing' | 'refused' | 'run' | 'sign-in';
type Expected = Readonly<Record<Who, Outcome>>;

const byStaff: Expected = {
  nobody: 'sign-in',
  operator: 'missing',
  moderator: 'run',
  'old admin': 'run',
  admin: 'run',
};
const byAdmins: Expected = { ...byStaff, moderator: 'missing' };
const recentOnly: Expected = { ...byAdmins, 'old admin': 'again' };

const OPERATOR = '/admin/operators/{codename}';
const CHALLENGE = '/admin/challenges/{id}';

/** The forms by the right that they need. A right without an entry fails the test. */
const FORMS: Readonly<
  Record<string, readonly [page: string, actions: readonly string[], expected: Expected]>
> = {
  'decide-submission': ['/admin/decisions', ['release', 'reject', 'hold'], byStaff],
  'hide-operator': [OPERATOR, ['hide'], byStaff],
  'show-operator': [OPERATOR, ['unhide'], byStaff],
  'create-sign-in-link': [OPERATOR, ['sign-in-link'], { ...recentOnly, moderator: 'refused' }],
  'end-sessions': [OPERATOR, ['end-sessions'], { ...recentOnly, moderator: 'refused' }],
  'change-role': [OPERATOR, ['role'], { ...recentOnly, moderator: 'refused' }],
  'manage-challenge': [CHALLENGE, ['edit', 'cancel', 'stop'], byAdmins],
  'issue-key': ['/admin/keys', ['issue'], recentOnly],
  'revoke-key': ['/admin/keys', ['revoke'], recentOnly],
  'create-invitation': ['/admin/invitations', ['create'], recentOnly],
  'revoke-invitation': ['/admin/invitations', ['revoke'], byAdmins],
  'set-announcement': ['/admin/announcement', ['set'], recentOnly],
  'end-announcement': ['/admin/announcement', ['end'], byAdmins],
  'make-backup': ['/admin/health', ['backup'], recentOnly],
  'test-webhook': ['/admin/webhooks', ['test'], byAdmins],
  'change-webhooks': ['/admin/webhooks', ['add', 'rotate', 'remove'], recentOnly],
};

/** Actions that their own tests send as every caller. */
const ELSEWHERE: readonly AdminRight[] = ['answer-message', 'close-message', 'link-sign-in-method'];

const board = sharedServer();

async function outcomeOf(response: Response): Promise<Outcome> {
  const location = response.headers.get('location') ?? '';
  if (location.includes('&again=1&lost=form')) return 'again';
  if (location.includes('/login?return_to=')) return 'sign-in';
  if (response.status === 403) return 'refused';
  const isPage = !(await response.text()).includes('This board has no page at this address');
  return isPage ? 'run' : 'missing';
}

describe('the forms of the admin pages', () => {
  test('cover every right to act', () => {
    const rights = Object.keys(ADMIN_RIGHTS).filter((right) => !right.startsWith('see-'));
    expect([...Object.keys(FORMS), ...ELSEWHERE].sort()).toEqual(rights.sort());
  });

  test.each(
    Object.entries(FORMS).flatMap(([right, [page, actions, expected]]) => {
      const senders = CALLERS.flatMap((who) => actions.map((action) => ({ who, action })));
      return senders.map((one) => ({ right, page, expected: expected[one.who], ...one }));
    }),
  )('$right: $action by $who: $expected', async ({ page, action, who, expected }) => {
    const server = await board();
    const codename = await anAccount(server, 'operator');
    announceOn(server, codename, { first_day: daysAgo(-3), last_day: daysAgo(-9) });
    const path = page.replace('{codename}', codename).replace('{id}', codename);
    const headers = { Cookie: await cookieOf(server, who), 'Sec-Fetch-Site': 'same-origin' };
    const body = new URLSearchParams({ action });
    const sent = { method: 'POST', headers, body, redirect: 'manual' } as const;

    expect(await outcomeOf(await fetch(server.url + path, sent))).toBe(expected);
  });
});
