/** A running board with an operator in each privacy mode, and what is public there. */
import { join } from 'node:path';
import { openStore } from '#db/store.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import type { ChangedProfile } from '#core/contract/profile.ts';
import { Projection } from '#server/publication/projection.ts';
import { publishAndStore } from '#server/publication/publish.ts';
import { DAY_MS, type TestDevice, bucketsOfDays } from '../board/builders.ts';
import { MIGRATIONS } from '../board/context.ts';
import { daysAgo } from '../agent/installation.ts';
import { type RunningServer, startServer } from './server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from './wire.ts';

/** The names by which an operator may be known. */
export interface Member {
  cookie: string;
  device: TestDevice;
  /** Of their only submission. */
  submission: string;
  codename: string;
  display_name: string;
  alias: string | null;
}

export type Members = Record<(typeof NAMES)[number], Member>;

/** The operators, by their later mode. */
const NAMES = ['identified', 'pseudonymous', 'anonymous', 'private', 'hidden', 'deleted'] as const;

/**
 * A board that publishes only when it must, with all operators still pseudonymous, and with yesterday's board.
 *
 * @param env Further settings.
 */
export async function aBoardOfModes(
  env: Readonly<Record<string, string>> = {},
): Promise<{ server: RunningServer; members: Members }> {
  const server = await startServer({ env: { REFRESH_SECONDS: '3600', ...env } });
  const all = await Promise.all(
    NAMES.map(async (name, index) => [name, await joined(server, name, index)] as const),
  );
  const members = Object.fromEntries(all) as Members;
  publishAsYesterday(server);
  for (const { cookie, display_name } of Object.values(members)) {
    await setProfile(server, cookie, { display_name, bio: `bio of ${display_name}` });
  }
  // Shown for a moment, so that all of them are on a published board.
  await setProfile(server, members.deleted.cookie, { privacy_mode: 'anonymous' });
  const { public_name } = await setProfile(server, members.deleted.cookie, { bio: null });
  await setProfile(server, members.deleted.cookie, { privacy_mode: 'identified' });
  return { server, members: { ...members, deleted: { ...members.deleted, alias: public_name } } };
}

async function joined(server: RunningServer, name: string, index: number): Promise<Member> {
  const codename = `op-${name}`;
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  // Days that are too similar would be put on hold.
  const buckets = bucketsOfDays(10, daysAgo(10), { output: 10_000 + 1_000 * index });
  const { body } = await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
  return {
    cookie,
    device,
    submission: body.id,
    codename,
    display_name: `Shown ${name}`,
    alias: null,
  };
}

/** Stores yesterday's board, as if the server had run then. */
function publishAsYesterday({ dataDir }: RunningServer): void {
  const path = join(dataDir, 'opbench.sqlite');
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  publishAndStore(store, new Projection(RULESET), Date.now() - DAY_MS);
  store.close();
}

/** Changes a profile. Resolves when the change is public. */
export async function setProfile(
  { url }: RunningServer,
  cookie: string,
  change: object,
): Promise<ChangedProfile> {
  const answer = await fetch(`${url}/api/v1/profile`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  });
  return (await answer.json()) as ChangedProfile;
}

/** Which operators' names appear in a text. */
export function namesIn(text: string, members: Members): string[] {
  return Object.entries(members).flatMap(([mode, { codename, display_name, alias }]) => {
    const names = Object.entries({ codename, display_name, alias });
    const found = names.filter(([, name]) => name !== null && text.includes(name));
    return found.map(([kind]) => `${kind} of ${mode}`);
  });
}
