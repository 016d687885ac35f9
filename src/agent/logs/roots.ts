/** The folders in which each tool may keep its logs, and which of their files are logs. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Environment } from '../settings.ts';

/** A folder that a tool writes to, whether or not it is there. */
export interface LogRoot {
  path: string;
  /** Which files are logs, by their path below the root with `/` between its parts. */
  logs: RegExp;
  /** Which folders are looked into, by their path below the root; all of them if not given. */
  folders?: RegExp;
}

type Platform = typeof process.platform;

/** What decides where a tool writes. */
interface Surroundings {
  env: Environment;
  home: string | undefined;
  platform: Platform;
}

const TOOLS: Readonly<Record<string, (at: Surroundings) => LogRoot[]>> = {
  'claude-code': (at) => [
    ...claudeFolders(at).map((path) => ({ path, logs: LINES })),
    ...desktopFolders(at).map((folder) => ({ path: join(folder, ...COWORK), logs: TRANSCRIPTS })),
  ],
  codex: ({ env, home }) =>
    named(env.CODEX_HOME, home, under(home, '.codex')).flatMap((folder) => [
      { path: join(folder, 'sessions'), logs: LINES },
      { path: join(folder, 'archived_sessions'), logs: LINES },
    ]),
  'gemini-cli': (at) =>
    geminiFolders(at).map((path) => ({ path, logs: CHATS, folders: CHAT_FOLDERS })),
  opencode: (at) => [
    ...openCodeFolders(at).flatMap((folder) => [
      { path: folder, logs: /^opencode(-[^/]+)?\.db$/, folders: NO_FOLDERS },
      { path: join(folder, 'storage', 'message'), logs: /\.json$/ },
    ]),
    ...openCodeDatabase(at),
  ],
  'copilot-cli': ({ env, home }) =>
    (env.COPILOT_HOME ? [env.COPILOT_HOME] : under(home, '.copilot')).map((folder) => ({
      path: join(folder, 'session-state'),
      logs: /^[^/]+(\/events)?\.jsonl$/,
      folders: /^[^/]+$/,
    })),
};

const LINES = /\.jsonl(\.zst)?$/;
const NO_FOLDERS = /^(?!)/;

/** Claude Desktop's sessions; beside the transcripts of the agents inside lies `audit.jsonl`, which repeats a part of them. */
const COWORK = ['Claude', 'local-agent-mode-sessions'];
const TRANSCRIPTS = /(^|\/)\.claude\/projects\/(?!(.*\/)?audit\.jsonl).*\.jsonl(\.zst)?$/;

/** A session's file, or one of its sub-agents in a folder of the session. */
const CHATS = /(^|\/)chats\/(session-[^/]+\.jsonl?|[^/]+\/[^/]+\.jsonl)$/;
const CHAT_FOLDERS = /^[^/]+$|(^|\/)chats(\/[^/]+)?$/;

/** The folders in which a tool may keep logs. */
export function logRoots(
  tool: string,
  env: Environment,
  platform: Platform = process.platform,
): LogRoot[] {
  const home = platform === 'win32' ? (env.USERPROFILE ?? env.HOME) : (env.HOME ?? env.USERPROFILE);
  return TOOLS[tool]?.({ env, home, platform }) ?? [];
}

function claudeFolders({ env, home }: Surroundings): string[] {
  const folders = named(env.CLAUDE_CONFIG_DIR, home, []);
  if (folders.length > 0) return folders.map((folder) => orInside(folder, 'projects'));
  const config = env.XDG_CONFIG_HOME || under(home, '.config')[0];
  return [...under(home, '.claude', 'projects'), ...under(config, 'claude', 'projects')];
}

/** A variable may name the folder of logs, or what it lies in. */
function orInside(folder: string, name: string): string {
  const inside = join(folder, name);
  return basename(folder) === name && !existsSync(inside) ? folder : inside;
}

/** Where Claude Desktop keeps its own folder. */
function desktopFolders({ env, home, platform }: Surroundings): string[] {
  if (platform === 'darwin') return under(home, 'Library', 'Application Support');
  if (platform !== 'win32') return [];
  return [...under(env.APPDATA), ...storeFolders(env.LOCALAPPDATA)];
}

/** The roaming folders of Claude Desktop as installed from the Microsoft Store. */
function storeFolders(local: string | undefined): string[] {
  return under(local, 'Packages').flatMap((packages) => {
    try {
      const names = readdirSync(packages).filter((name) => name.startsWith('Claude_'));
      return names.map((name) => join(packages, name, 'LocalCache', 'Roaming'));
    } catch {
      return [];
    }
  });
}

/** The tool itself knows only another home; a list of folders is named by readers of its logs. */
function geminiFolders({ env, home }: Surroundings): string[] {
  const folders = named(env.GEMINI_DATA_DIR, home, []);
  if (folders.length > 0) {
    return folders.map((folder) =>
      existsSync(join(folder, 'tmp')) ? join(folder, 'tmp') : folder,
    );
  }
  return under(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp');
}

function openCodeFolders({ env, home }: Surroundings): string[] {
  const { XDG_DATA_HOME = '' } = env;
  const data = isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : under(home, '.local', 'share')[0];
  return named(env.OPENCODE_DATA_DIR, home, under(data, 'opencode'));
}

/** The tool can be told to use another database, by a path or a name in its folder. */
function openCodeDatabase(at: Surroundings): LogRoot[] {
  const { OPENCODE_DB = '' } = at.env;
  if (OPENCODE_DB === '' || OPENCODE_DB === ':memory:') return [];
  const paths = isAbsolute(OPENCODE_DB)
    ? [OPENCODE_DB]
    : openCodeFolders(at).map((folder) => join(folder, OPENCODE_DB));
  return paths.map((path) => {
    const name = basename(path).replaceAll(/[^\w-]/g, '\\$&');
    return { path: dirname(path), logs: new RegExp(`^${name}$`), folders: NO_FOLDERS };
  });
}

function under(folder: string | undefined, ...parts: string[]): string[] {
  return folder ? [join(folder, ...parts)] : [];
}

/** The folders in a comma-separated list, or others if it names none. */
function named(list: string | undefined, home: string | undefined, others: string[]): string[] {
  const folders = (list ?? '').split(',').map((folder) => folder.trim());
  const found = folders.filter(Boolean).map((folder) => {
    return home && /^~(?=$|[/\\])/.test(folder) ? join(home, folder.slice(1)) : folder;
  });
  return found.length > 0 ? found : others;
}
