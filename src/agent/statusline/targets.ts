/** The assistants whose status bar can run a command, and where their settings have it. */
import { join } from 'node:path';
import { EXIT, Failure } from '../failure.ts';
import { type Environment, homeFolder } from '../settings.ts';

export interface Target {
  readonly tool: string;
  readonly title: string;
  /** The user's settings file, which is JSON. */
  file(environment: Environment): string;
  /** The members that lead to the status line. */
  readonly path: readonly string[];
}

export const TARGETS: readonly Target[] = [
  {
    tool: 'claude-code',
    title: 'Claude Code',
    file: (environment) => {
      const [folder] = (environment['CLAUDE_CONFIG_DIR'] ?? '').split(',');
      return join(folder?.trim() || join(homeFolder(environment), '.claude'), 'settings.json');
    },
    path: ['statusLine'],
  },
  {
    tool: 'qwen-code',
    title: 'Qwen Code',
    file: (environment) => join(homeFolder(environment), '.qwen', 'settings.json'),
    path: ['ui', 'statusLine'],
  },
];

/** @throws {Failure} `usage` for an unknown tool. */
export function targetNamed(tool: string): Target {
  const target = TARGETS.find((known) => known.tool === tool);
  if (target) return target;
  const names = TARGETS.map((known) => known.tool).join(', ');
  throw new Failure(EXIT.usage, `No status line for "${tool}". Use one of: ${names}`);
}
