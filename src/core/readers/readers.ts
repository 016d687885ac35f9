/** All readers. */
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { kilo } from './kilo.ts';
import { mimoCode } from './mimo-code.ts';
import { openClaw } from './openclaw.ts';
import { openCode } from './opencode.ts';
import type { Reader } from './shared/reader.ts';

export const readers: readonly Reader[] = [
  claudeCode,
  codex,
  geminiCli,
  openCode,
  copilotCli,
  kilo,
  mimoCode,
  openClaw,
];

/** The name of a tool in texts; the name on boards if no reader knows the tool. */
export function nameOfTool(tool: string): string {
  return readers.find((reader) => reader.tool === tool)?.name ?? tool;
}
