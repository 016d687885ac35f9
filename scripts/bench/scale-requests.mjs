// What a board is asked while it is measured: see scale.mjs.
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { signedSnapshot, signingKey } from './devices.mjs';
import { bucketsOf, codenameOf } from './seed.mjs';

/** Operators apart that are asked for one after the other: no small factor of a round number. */
const STRIDE = 7919;
/** Devices that submit, so that these change little beside what is changed on purpose. */
const SENDERS = 10;

/**
 * Kinds of requests for `askSteadily`: what is finished with each publication, what nobody asked for before,
 * and signed snapshots of three records.
 */
export function readsAndSubmits(audience, operators) {
  const get = (perSecond, pathOf) => ({ perSecond, next: (turn) => ({ path: pathOf(turn) }) });
  const someone = (turn) => codenameOf((turn * STRIDE) % operators);
  return {
    'front page': get(50, () => '/'),
    'page of an operator': get(20, (turn) => `/operators/${someone(turn)}`),
    'leaderboard as JSON': get(50, () => '/api/v1/leaderboard'),
    'leaderboard by tool and text': get(20, (turn) => `/api/v1/leaderboard?tool=codex&q=${turn}`),
    submit: { perSecond: 20, next: (turn) => submission(audience, turn) },
  };
}

function submission(audience, turn) {
  const number = turn % SENDERS;
  const buckets = bucketsOf(number, 2, 1 + turn / 1000).slice(-3);
  const { envelope } = signedSnapshot(signingKey(number), { audience, buckets });
  return {
    ...{ path: '/api/v1/snapshots', method: 'POST', status: 201 },
    headers: { 'Content-Type': ENVELOPE_MEDIA_TYPE },
    body: JSON.stringify(envelope),
  };
}
