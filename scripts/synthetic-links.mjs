// Links that a synthetic board sends to people, made as the server makes them.
import { createInvitation } from '../src/server/identity/joining/invitations.ts';
import { setMailChoices } from '../src/server/member-mail/mail-choices.ts';
import { unsubscribeToken } from '../src/server/member-mail/unsubscribe.ts';

/** An invitation by an operator, to a cohort of STATES_ENV. */
export function invitationLink({ ctx, url }, codename) {
  const { id: operator_id } = ctx.store.operators.byCodename(codename);
  const by = { operator_id, via: 'page' };
  const { cohorts } = ctx.config.signIn;
  const request = {
    label: 'two weeks of careful prompting',
    cohort_id: 'guild',
    uses: 30,
    days: 14,
  };
  return createInvitation(ctx, request, { baseUrl: url, cohorts, by }).url;
}

let confirmations = 0;

/** The link with which an operator confirms an email address. */
export async function confirmationLink({ ctx, url }, codename) {
  confirmations += 1;
  const { id } = ctx.store.operators.byCodename(codename);
  let text = '';
  const mailer = { send: async (mail) => void (text = mail.text) };
  const address = `member-${confirmations}@example.org`;
  const choices = { address, kinds: ['weekly'], silent_days: '7', client: address };
  await setMailChoices({ ...ctx, mailer }, id, choices);
  const [path] = /\/email\/confirm\?token=[\w-]+/.exec(text);
  return url + path;
}

/** The link with which an operator stops the weekly summary. */
export function unsubscribeLink({ ctx, url }, codename) {
  const { public_id } = ctx.store.operators.byCodename(codename);
  const query = new URLSearchParams({ token: unsubscribeToken(ctx, public_id, 'weekly') });
  return `${url}/email/unsubscribe?${query}`;
}
