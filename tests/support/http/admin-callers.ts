/** The people who open admin pages, from no session to an admin with a recent sign-in. */
import { join } from 'node:path';
import { type Store, openStore } from '#db/store.ts';
import { RECENT_MS } from '#core/domain/account/admin-right.ts';
import type { Role } from '#core/schema/account.ts';
import { createSessions } from '#server/identity/sessions.ts';
import { setRole } from '#server/operator/set-role.ts';
import { MIGRATIONS } from '../board/context.ts';
import type { RunningServer } from './server.ts';
import { Visitor } from './visitor.ts';

export const CALLERS = ['nobody', 'operator', 'moderator', 'old admin', 'admin'] as const;
export type Who = (typeof CALLERS)[number];

let accounts = 0;

/** Works on the database of a running server. */
export async function inStore<Result>(
  { dataDir }: Pick<RunningServer, 'dataDir'>,
  work: (store: Store) => Promise<Result> | Result,
): Promise<Result> {
  const path = join(dataDir, 'opbench.sqlite');
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** Creates an account with a role. Returns its codename, and the Cookie header of a session. */
export async function anAccount(board: RunningServer, role: Role, signedInAt = new Date()) {
  accounts += 1;
  const codename = `somebody-${accounts}`;
  await board.signIn(codename);
  const setCookie = await inStore(board, (store) => {
    const now = () => new Date();
    if (role !== 'operator') setRole({ store, now }, { name: codename, role });
    const { id = 0 } = store.operators.byCodename(codename) ?? {};
    return createSessions(store, false, now, () => false).start(id, { signedInAt });
  });
  return { codename, cookie: setCookie.split(';')[0] ?? '' };
}

/** The Cookie header of a caller. */
export async function cookieOf(board: RunningServer, who: Who): Promise<string> {
  if (who === 'nobody') return '';
  if (who !== 'old admin') return (await anAccount(board, who)).cookie;
  return (await anAccount(board, 'admin', new Date(Date.now() - RECENT_MS))).cookie;
}

/** A browser in which an admin or moderator is signed in. */
export async function aVisitingAdmin(board: RunningServer, role: Role = 'admin') {
  const { codename, cookie } = await anAccount(board, role);
  const visitor = new Visitor(board.url);
  visitor.signInBy(cookie);
  return { codename, visitor };
}
