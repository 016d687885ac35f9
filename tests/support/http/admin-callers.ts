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

/** A new account with a role. Returns its codename. */
export async function anAccount(board: RunningServer, role: Role): Promise<string> {
  accounts += 1;
  const name = `somebody-${accounts}`;
  await board.signIn(name);
  if (role !== 'operator') {
    await inStore(board, (store) => setRole({ store, now: () => new Date() }, { name, role }));
  }
  return name;
}

/** Signs an account in, now or earlier. Returns the Cookie header. */
async function sessionOf(board: RunningServer, name: string, signedInAt = new Date()) {
  const setCookie = await inStore(board, (store) => {
    const { id = 0 } = store.operators.byCodename(name) ?? {};
    const sessions = createSessions(
      store,
      false,
      () => new Date(),
      () => false,
    );
    return sessions.start(id, { signedInAt });
  });
  return setCookie.split(';')[0] ?? '';
}

/** The Cookie header of a caller. */
export async function cookieOf(board: RunningServer, who: Who): Promise<string> {
  if (who === 'nobody') return '';
  const name = await anAccount(board, who === 'old admin' ? 'admin' : who);
  return sessionOf(board, name, new Date(Date.now() - (who === 'old admin' ? RECENT_MS : 0)));
}

/** A browser in which an admin or moderator is signed in. */
export async function aVisitingAdmin(board: RunningServer, role: Role = 'admin') {
  const codename = await anAccount(board, role);
  const visitor = new Visitor(board.url);
  visitor.signInBy(await sessionOf(board, codename));
  return { codename, visitor };
}
