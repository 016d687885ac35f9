import { type Store, openStore } from '#db/store.ts';
import { databasePath, listenUrl, migrationsPath, readConfig } from '../config.ts';

/** Runs `work` on the store of the board that the environment describes, then closes it. */
export function withStore(
  work: (store: Store, board: { baseUrl: string; now: Date }) => void,
): void {
  const config = readConfig(process.env);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const now = () => new Date();
  const store = openStore({ path: databasePath(config), migrations: migrationsPath(config), now });
  try {
    work(store, { baseUrl, now: now() });
  } finally {
    store.close();
  }
}
