// Rounds of submissions to a board and to the bare reference, in turns: see submit.mjs and scale.mjs.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { interleave, median, medianRatio, round, startReference } from './lib.mjs';
import { generateLoad, requestBytes } from './load.mjs';
import { bucketsOf, signedSnapshot, signingKey } from './seed.mjs';

const CONNECTIONS = 20;
/** Every operator submits once in each round. The first round warms up, with no earlier buckets. */
const ROUNDS = 4;
const PATH = '/api/v1/snapshots';

/** The median rate of a board and its ratio to the reference, without the first round. */
export async function compareSubmissions({ folder, ...asked }) {
  mkdirSync(folder, { recursive: true });
  try {
    const { ours, reference } = await submitInTurns({ folder, ...asked });
    const [own, bare] = [ours, reference].map((all) => all.slice(1).map(({ rate }) => rate));
    return { rates: median(own), ratio: round(medianRatio(own, bare), 2) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The results of each round of both. */
export async function submitInTurns({ url, folder, audience, operators, records }) {
  const devices = Array.from({ length: operators }, (_, number) => signingKey(number));
  const reference = await startReference('reference-submit.mjs', {
    path: join(folder, 'reference.sqlite'),
    keys: devices.map(({ keyid, jwk }) => ({ keyid, jwk })),
  });
  const rounds = Array.from({ length: ROUNDS }, (_, index) => {
    return signRound(devices, { index, records, audience });
  });
  try {
    return await interleave(ROUNDS, {
      ours: (index) => submit(url, rounds[index]),
      reference: (index) => submit(reference.url, rounds[index]),
    });
  } finally {
    await reference.stop();
  }
}

/** One signed envelope from each device, with higher counts than in the round before. */
function signRound(devices, { index, records, audience }) {
  return devices.map((key, number) => {
    const buckets = bucketsOf(number, records, 2 + index / 10).slice(-records);
    return JSON.stringify(signedSnapshot(key, { audience, buckets }).envelope);
  });
}

function submit(url, envelopes) {
  const headers = { 'Content-Type': ENVELOPE_MEDIA_TYPE };
  const requests = envelopes.map((body) =>
    requestBytes(url, PATH, { method: 'POST', headers, body }),
  );
  const next = () => requests.pop() ?? null;
  return generateLoad({ url, connections: CONNECTIONS, next, status: 201 });
}
