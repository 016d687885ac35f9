import { statSync } from 'node:fs';
import { type Store, openStore } from '#db/store.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import {
  type Config,
  ConfigError,
  databasePath,
  listenUrl,
  migrationsPath,
} from '../config/config.ts';
import { readServedConfig } from '../running-server.ts';

/** What is known of the board besides its store. */
export interface KeptBoard {
  baseUrl: string;
  now: Date;
  /** The rules that the configuration gives it. */
  ruleset: Ruleset;
}

/**
 * Runs `work` on the store of the board that the environment describes, then closes it.
 *
 * @param isNew Whether the board may be made by this.
 * @throws {ConfigError} if there is none otherwise.
 */
export function withStore(
  work: (store: Store, board: KeptBoard) => void,
  { isNew = false } = {},
): void {
  const { store, board } = openBoard(isNew);
  try {
    work(store, board);
  } finally {
    store.close();
  }
}

/** The same for work that takes its time. */
export async function withOpenStore(
  work: (store: Store, board: KeptBoard) => Promise<void>,
): Promise<void> {
  const { store, board } = openBoard(false);
  try {
    await work(store, board);
  } finally {
    store.close();
  }
}

/** @throws {ConfigError} if there is no board where the environment says. */
export function refuseNoBoard(config: Config): void {
  if (statSync(databasePath(config), { throwIfNoEntry: false })) return;
  throw new ConfigError(`There is no board in ${config.dataDir}: set DATA_DIR`);
}

function openBoard(isNew: boolean): { store: Store; board: KeptBoard } {
  const config = readServedConfig(process.env);
  if (!isNew) refuseNoBoard(config);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const now = () => new Date();
  const store = openStore({ path: databasePath(config), migrations: migrationsPath(config), now });
  return { store, board: { baseUrl, now: now(), ruleset: config.ruleset } };
}
