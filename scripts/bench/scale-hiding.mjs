// How long writes that hide data take: see scale.mjs. The board responds when no reader can see the data any more.
import { median } from './lib.mjs';
import { codenameOf } from './seed.mjs';

/** Numbers of accounts that hide or are deleted one after the other, and that hide at the same time. */
const ASKED_ALONE = 3;
const AT_ONCE = 10;

/** The median response times of a change of the privacy mode, alone and ten at once, in seconds. */
export async function timeHiding(ctx, url, operators) {
  const people = await signedIn(ctx, url, operators - 1, ASKED_ALONE + AT_ONCE);
  const hide = ({ post }) => post('/api/v1/profile', { privacy_mode: 'private' });
  const alone = [];
  for (const one of people.slice(0, ASKED_ALONE)) alone.push(await hide(one));
  const together = await Promise.all(people.slice(ASKED_ALONE).map(hide));
  return {
    'change of the privacy mode, s': median(alone),
    [`${AT_ONCE} switches at once, s`]: median(together),
  };
}

/** The median response time of a deletion, in seconds. */
export async function timeDeletion(ctx, url, operators) {
  const people = await signedIn(ctx, url, operators - 1 - ASKED_ALONE - AT_ONCE, ASKED_ALONE);
  const deletions = [];
  for (const { codename, post } of people) {
    deletions.push(await post('/api/v1/account/delete', { confirm: codename }));
  }
  return { 'deletion of an account, s': median(deletions) };
}

/** The operators before a number, each with a function that posts as this operator. */
function signedIn({ store, sessions }, url, last, count) {
  const people = Array.from({ length: count }, async (_, turn) => {
    const codename = codenameOf(last - turn);
    const cookie = await sessions.start(store.operators.byCodename(codename).id);
    const headers = { Cookie: cookie.split(';')[0], 'Content-Type': 'application/json' };
    return { codename, post: (path, body) => timePost(url + path, headers, body) };
  });
  return Promise.all(people);
}

async function timePost(address, headers, body) {
  const startedMs = performance.now();
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(address, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address} returned ${answer.status}: ${text}`);
  return (performance.now() - startedMs) / 1000;
}
