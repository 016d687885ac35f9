/** The first start: a one-time link makes an account the first admin, and names the board. */
import { randomUUID } from 'node:crypto';
import { CodenameChange } from '#core/contract/profile.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import type { AppContext } from '#server/context.ts';
import { codenameTaken, isCodenameFree } from '#server/operator/codenames.ts';
import { operatorHere, operatorOf } from '#server/operator/operator.ts';
import { giveRole } from '#server/operator/set-role.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';
import { noteSignIn } from './accounts.ts';
import { type SignInBrowser, beginSession } from './sign-in.ts';

/** How long a setup link is valid, in milliseconds. A restart creates a new one. */
export const SETUP_TTL_MS = 24 * 60 * 60 * 1000;

export const SETUP_PATH = '/setup';

/**
 * Creates the setup link of a board without accounts, in place of an earlier one. Returns null for a board that has
 * accounts, whose admin must be added with a command.
 */
export function createSetupLink({ store, config, now }: AppContext): string | null {
  if (store.operators.total() > 0) return null;
  const token = randomSecret();
  const at = now();
  const link = {
    token_hash: sha256Hex(token),
    created_at: at.toISOString(),
    expires_at: new Date(at.getTime() + SETUP_TTL_MS).toISOString(),
  };
  store.transaction(() => store.setupLinks.replace(link));
  return `${config.baseUrl}${SETUP_PATH}?token=${token}`;
}

/** `done` if the board has an admin, with any link. */
export type SetupState = 'done' | 'expired' | 'ready' | 'unknown';

export function readSetup({ store, now }: AppContext, token: string): SetupState {
  if (store.operators.admins() > 0) return 'done';
  const link = store.setupLinks.byToken(sha256Hex(token));
  if (!link || link.used_at !== null) return 'unknown';
  return link.expires_at > now().toISOString() ? 'ready' : 'expired';
}

const WHY_NOT: Readonly<Record<Exclude<SetupState, 'ready'>, string>> = {
  done: 'This board already has an admin',
  expired: 'The link has expired',
  unknown: 'The link is unknown, or was replaced by a restart of the board',
};

interface SetupInput {
  /** The codename of the new account. Not used if the browser is signed in. */
  codename: string;
  /** What the admin chose, by the name of the setting. */
  settings: Readonly<Record<string, string>>;
}

/**
 * Makes the signed-in account, or a new one, the first admin, and stores the settings. Returns the `Set-Cookie` value
 * of a new session.
 *
 * @throws {DomainError} `setup_link_invalid`, `codename_taken` or `validation_failed`.
 */
export async function setUp(
  ctx: AppContext,
  token: string,
  { codename, settings }: SetupInput,
  browser: SignInBrowser,
): Promise<string> {
  const here = await operatorHere(ctx, browser.cookieHeader);
  const { store, boardSettings } = ctx;
  const now = ctx.now();
  const operator_id = store.transaction(() => {
    const state = readSetup(ctx, token);
    if (state !== 'ready') throw new DomainError('setup_link_invalid', WHY_NOT[state]);
    const operator = here ?? addAccount(ctx, codename);
    const by = { operator_id: operator.id, via: 'setup' } as const;
    giveRole(ctx, operator, { role: 'admin', by });
    boardSettings.store(settings, { now, by });
    store.setupLinks.use(sha256Hex(token), now.toISOString());
    noteSignIn(ctx, operator.id, 'Setup link');
    return operator.id;
  });
  boardSettings.reload();
  return beginSession(ctx, operator_id, null, browser);
}

function addAccount(ctx: AppContext, text: string) {
  const { codename } = parseAs(CodenameChange, { codename: text }, 'The codename');
  const account = { public_id: randomUUID(), codename, created_at: ctx.now().toISOString() };
  const added = isCodenameFree(ctx, codename) ? ctx.store.operators.add(account) : undefined;
  if (!added) throw codenameTaken(codename);
  return operatorOf(ctx, added.id);
}
