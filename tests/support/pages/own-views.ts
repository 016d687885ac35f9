/** Sign-in and account pages. */
import * as visits from './site-visits.ts';
import type { PageViews } from './view.ts';

export const OWN_VIEWS: PageViews = {
  'settings.astro': () => [
    { path: '/settings', name: 'settings', as: 'identified' },
    { path: '/settings', name: 'settings-without-a-device', as: 'idle' },
    { path: '/settings', name: 'settings-with-notices', as: 'partly-held' },
    { path: '/settings', name: 'settings-hidden', as: 'hidden' },
    { path: '/settings', name: 'settings-new-key', as: 'identified', act: visits.askForKey },
    { path: '/settings', name: 'settings-rename', as: 'identified', act: visits.renameDevice },
    {
      path: '/settings',
      name: 'settings-revoke-refused',
      as: 'identified',
      status: 422,
      act: visits.revokeWrongly,
    },
  ],
  'settings/profile.astro': () => [
    { path: '/settings/profile', as: 'identified' },
    {
      path: '/settings/profile',
      name: 'settings-profile-refused',
      as: 'identified',
      status: 422,
      act: visits.takeBadCodename,
    },
  ],
  'settings/email.astro': () => [{ path: '/settings/email', as: 'identified' }],
  'settings/privacy.astro': () => [{ path: '/settings/privacy', as: 'identified' }],
  'settings/sign-in.astro': () => [{ path: '/settings/sign-in', as: 'identified' }],
  'settings/applications.astro': () => [{ path: '/settings/applications', as: 'identified' }],
  'settings/submissions.astro': ({ submissions }) => [
    { path: '/settings/submissions', as: 'identified' },
    { path: '/settings/submissions', name: 'settings-submissions-none', as: 'idle' },
    {
      path: `/settings/submissions?change=${submissions.identified}`,
      name: 'settings-submissions-withdraw',
      as: 'identified',
    },
    {
      path: `/settings/submissions?change=${submissions.withdrawn}`,
      name: 'settings-submissions-restore',
      as: 'withdrawn',
    },
    {
      path: `/settings/submissions?change=${submissions.withdrawn}`,
      name: 'settings-submissions-unknown',
      as: 'identified',
      status: 404,
    },
  ],
  'settings/data.astro': () => [{ path: '/settings/data', as: 'identified' }],
  'settings/deleted.astro': () => [{ path: '/settings/deleted' }],
  'admin/index.astro': () => [{ path: '/admin', as: 'identified' }],
  'admin/operators/index.astro': () => [{ path: '/admin/operators?q=synthetic', as: 'identified' }],
  'admin/operators/[codename].astro': ({ codenames }) => [
    { path: `/admin/operators/${codenames['hidden']}`, name: 'admin-operator', as: 'identified' },
  ],
  'admin/audit.astro': () => [
    { path: '/admin/audit', as: 'identified' },
    {
      path: '/admin/audit?since=yesterday&action=hide',
      name: 'admin-audit-refused',
      as: 'identified',
      status: 422,
    },
  ],
  'admin/decisions.astro': () => [
    { path: '/admin/decisions', as: 'identified' },
    {
      path: '/admin/decisions',
      name: 'admin-decisions-refused',
      as: 'identified',
      status: 422,
      act: visits.rejectWithoutReason,
    },
  ],
  'admin/messages/index.astro': () => [{ path: '/admin/messages', as: 'identified' }],
  'admin/messages/[id].astro': () => [
    { path: '/admin/messages', name: 'admin-message', as: 'identified', act: visits.openMessage },
  ],
  'admin/challenges/index.astro': () => [
    { path: '/admin/challenges', as: 'identified' },
    {
      path: '/admin/challenges?copy=complete',
      name: 'admin-challenges-refused',
      as: 'identified',
      status: 422,
      act: visits.createWrongChallenge,
    },
  ],
  'admin/challenges/[id].astro': () => [
    { path: '/admin/challenges/upcoming', name: 'admin-challenge', as: 'identified' },
    { path: '/admin/challenges/cancelled', name: 'admin-challenge-canceled', as: 'identified' },
  ],
  'admin/keys.astro': () => [{ path: '/admin/keys', as: 'identified' }],
  'admin/announcement.astro': () => [{ path: '/admin/announcement', as: 'identified' }],
  'admin/invitations.astro': () => [{ path: '/admin/invitations', as: 'identified' }],
  'admin/webhooks.astro': () => [{ path: '/admin/webhooks', as: 'identified' }],
  'admin/health.astro': () => [{ path: '/admin/health', as: 'identified', isLive: true }],
  'invite/[token].astro': () => [
    { path: '/', name: 'invitation', act: visits.openInvitation },
    { path: '/', name: 'invitation-of-a-member', as: 'identified', act: visits.openInvitation },
  ],
  'email/confirm.astro': () => [{ path: '/', name: 'confirm-email', act: visits.openConfirmation }],
  'email/unsubscribe.astro': () => [
    { path: '/', name: 'unsubscribe', act: visits.openUnsubscribeLink },
    { path: '/', name: 'unsubscribed', act: visits.stopEmail },
  ],
  'login.astro': () => [{ path: '/login?lost=form', name: 'login-lost' }],
  'login/link.astro': () => [
    { path: '/login/link?token=nothing', name: 'link-invalid', status: 422 },
    { path: '/', name: 'link', act: visits.openLoginLink },
  ],
  'login/[site]/callback.astro': () => [
    { path: '/login/github/callback?code=1&state=1', name: 'login-callback', status: 422 },
  ],
  'login/interaction/[uid]/index.astro': () => [
    { path: '/login', name: 'sign-in' },
    { path: '/login/interaction/nothing', name: 'sign-in-over', status: 422 },
    { path: '/', name: 'consent', as: 'identified', act: visits.openConsent },
  ],
  'login/interaction/[uid]/mail.astro': () => [
    { path: '/login', name: 'sign-in-by-mail', act: visits.chooseMail },
  ],
  'login/interaction/[uid]/[site].astro': () => [
    { path: '/login/interaction/nothing/github', name: 'sign-in-by-site-over', status: 422 },
  ],
  'login/mail/index.astro': () => [
    { path: '/login', name: 'mail-on-its-way', act: visits.askForMail },
  ],
  'dev/mail.astro': () => [{ path: '/dev/mail' }],
  'login/mail/link.astro': () => [
    { path: '/login/mail/link?token=nothing', name: 'mail-link-invalid', status: 422 },
    { path: '/login', name: 'mail-link', act: visits.openMailLink },
  ],
  'oauth/authorize/[...uid].astro': () => [
    { path: '/oauth/authorize?client_id=nobody', name: 'authorization-refused', status: 400 },
  ],
  'auth/callback.astro': () => [
    { path: '/auth/callback?code=1&state=1', name: 'return-refused', status: 422 },
  ],
};
