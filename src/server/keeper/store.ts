import { type Store, openStore } from '#db/store.ts';
import { databasePath, listenUrl, migrationsPath, readConfig } from '../config.ts';

/** What is known of the board besides its store. */
export interface KeptBoard {
  baseUrl: string;
  now: Date;
}

/** Runs `work` on the store of the board that the environment describes, then closes it. */
export function withStore(work: (store: Store, board: KeptBoard) => void): void {
  const { store, board } = openBoard();
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
  const { store, board } = openBoard();
  try {
    await work(store, board);
  } finally {
    store.close();
  }
}

function openBoard(): { store: Store; board: KeptBoard } {
  const config = readConfig(process.env);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const now = () => new Date();
  const store = openStore({ path: databasePath(config), migrations: migrationsPath(config), now });
  return { store, board: { baseUrl, now: now() } };
}
