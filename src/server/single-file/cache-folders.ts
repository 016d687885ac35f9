import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'opbench-board';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Place {
  folder: string;
  /** Whether the user named this folder, so that no other may be used. */
  isChosen: boolean;
}

/**
 * Where the program's files may be unpacked, best place first.
 *
 * @param uid The user that runs the program.
 */
export function cacheFolders(
  environment: Environment = process.env,
  uid = process.getuid?.() ?? 0,
  home = ownHome(),
): Place[] {
  const { OPBENCH_CACHE_DIR, CACHE_DIRECTORY, DATA_DIR } = environment;
  if (OPBENCH_CACHE_DIR) return [{ folder: OPBENCH_CACHE_DIR, isChosen: true }];
  const folders = [
    // systemd's CacheDirectory=
    CACHE_DIRECTORY,
    `/var/cache/${NAME}`,
    // Root's home folder is closed to the board's user, who root's commands become.
    uid === 0 ? '' : personalFolder(environment, home),
    join(tmpdir(), `${NAME}-${uid}`),
    DATA_DIR && existsSync(DATA_DIR) ? join(DATA_DIR, 'cache') : '',
  ];
  return folders.flatMap((folder) => (folder ? [{ folder, isChosen: false }] : []));
}

/** Containers run users that the system does not know. */
function ownHome(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** Empty for system users without a home folder. */
function personalFolder({ XDG_CACHE_HOME }: Environment, home: string): string {
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, NAME);
  return ['', '/'].includes(home) ? '' : join(home, '.cache', NAME);
}
