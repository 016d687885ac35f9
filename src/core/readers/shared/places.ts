/**
 * Where tools write their logs, from environment variables, the home folder and the platform. Paths are written with `/`
 * and may not exist. Files are only searched in `src/agent/logs`.
 *
 * @module
 */

/** What the places of logs depend on. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** The home folder; undefined if it is unknown. */
  home: string | undefined;
  /** A value of `process.platform`. */
  platform: string;
}

/** A folder that a tool may write to, or a log file. */
export interface LogPlace {
  path: string;
  /**
   * The logs in the folder, as patterns of paths with `/`: `*` stands for any characters of a name, `**` for any number of
   * folders. Only folders that can contain such a log are searched. Without patterns, `path` is a log file.
   */
  logs?: readonly string[];
  /** Patterns of files that are not logs, although their path matches. */
  except?: readonly string[];
  /** A folder in `path` that is searched instead if it exists. */
  inside?: string;
}

/** A path in a folder; empty without the folder. */
export function under(folder: string | undefined, ...parts: readonly string[]): string[] {
  return folder ? [[folder.replace(/[/\\]$/, ''), ...parts].join('/')] : [];
}

/** The folders in a comma-separated variable, or `others` if it is empty. `~` stands for the home folder. */
export function listed({ env, home }: Surroundings, name: string, others: string[]): string[] {
  const folders = (env[name] ?? '').split(',').map((folder) => folder.trim());
  const found = folders.filter(Boolean).map((folder) => {
    return home && /^~(?=$|[/\\])/.test(folder) ? `${home}${folder.slice(1)}` : folder;
  });
  return found.length > 0 ? found : others;
}

/** The folder for data of programs, on all platforms: `XDG_DATA_HOME`, else `~/.local/share`. */
export function dataFolder({ env, home }: Surroundings): string | undefined {
  const { XDG_DATA_HOME = '' } = env;
  return isAbsolutePath(XDG_DATA_HOME) ? XDG_DATA_HOME : under(home, '.local', 'share')[0];
}

/** The folder for configuration of programs, on all platforms: `XDG_CONFIG_HOME`, else `~/.config`. */
export function configFolder({ env, home }: Surroundings): string | undefined {
  return env.XDG_CONFIG_HOME || under(home, '.config')[0];
}

/** The folder in which desktop applications have a folder each. */
export function applicationFolder(at: Surroundings): string | undefined {
  if (at.platform === 'win32') return at.env.APPDATA;
  if (at.platform === 'darwin') return under(at.home, 'Library', 'Application Support')[0];
  return configFolder(at);
}

/** Editors that extensions of VS Code run in, by the names of their folders. */
const EDITORS = [
  'Code',
  'Code - Insiders',
  'VSCodium',
  'Cursor',
  'Windsurf',
  'Antigravity',
  'Kiro',
  'Trae',
];

/** The folders of the same editors on a machine that is used remotely. */
const REMOTE_EDITORS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server'];

/** The storage of an extension of VS Code in all editors, by its ID in lower case. */
export function extensionStorage(at: Surroundings, extension: string): string[] {
  const folder = applicationFolder(at);
  const users = [
    ...EDITORS.flatMap((editor) => under(folder, editor, 'User')),
    ...REMOTE_EDITORS.flatMap((editor) => under(at.home, editor, 'data', 'User')),
  ];
  return users.flatMap((user) => under(user, 'globalStorage', extension));
}

/** Whether a path does not depend on a current folder, on any platform. */
export function isAbsolutePath(path: string): boolean {
  return /^([a-z]:)?[/\\]/i.test(path);
}
