/** All readers. */
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import type { Reader } from './reader.ts';

export const readers: readonly Reader[] = [claudeCode, codex];
