import { parseArgs } from 'node:util';
import { openStore } from '#db/store.ts';
import { createLoginLink } from '../commands/create-login-link.ts';
import { listenUrl, readConfig } from '../config.ts';
import { databasePath, migrationsPath } from '../context.ts';
import { UsageError } from './usage-error.ts';

/** Prints a one-time sign-in URL, and nothing else, on stdout. */
export function loginLink(args: string[]): void {
  const { codename, create } = readArguments(args);
  const config = readConfig(process.env);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const now = () => new Date();
  const store = openStore({ path: databasePath(config), migrations: migrationsPath(config), now });
  try {
    const url = createLoginLink(store, { codename, create, baseUrl, now: now() });
    process.stdout.write(`${url}\n`);
  } finally {
    store.close();
  }
}

function readArguments(args: string[]): { codename: string; create: boolean } {
  const options = { new: { type: 'boolean' } } as const;
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch {
    throw new UsageError('login-link takes a CODENAME and --new');
  }
  const [codename, ...rest] = parsed.positionals;
  if (codename === undefined || rest.length > 0) {
    throw new UsageError('login-link takes one CODENAME');
  }
  return { codename, create: parsed.values.new ?? false };
}
