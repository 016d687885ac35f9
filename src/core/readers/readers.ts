/** All readers. A folder that two tools can use belongs to the first of them. */
import { antigravity } from './antigravity.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { deepSeekHarness } from './deepseek-harness.ts';
import { droid } from './droid.ts';
import { gajaeCode } from './gajae-code.ts';
import { geminiCli } from './gemini-cli.ts';
import { goose } from './goose.ts';
import { grokBuild } from './grok-build.ts';
import { hermes } from './hermes.ts';
import { kilo } from './kilo.ts';
import { kiloCode } from './kilo-code.ts';
import { kimchi } from './kimchi.ts';
import { kimiCli } from './kimi-cli.ts';
import { kimiCode } from './kimi-code.ts';
import { mimoCode } from './mimo-code.ts';
import { ohMyPi } from './oh-my-pi.ts';
import { openClaw } from './openclaw.ts';
import { openCode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';
import { rooCode } from './roo-code.ts';
import { senpi } from './senpi.ts';
import { zCode } from './zcode.ts';
import type { Reader } from './shared/reader.ts';

export const readers: readonly Reader[] = [
  claudeCode,
  codex,
  geminiCli,
  openCode,
  copilotCli,
  kilo,
  mimoCode,
  ohMyPi,
  senpi,
  gajaeCode,
  kimchi,
  pi,
  openClaw,
  hermes,
  goose,
  zCode,
  deepSeekHarness,
  qwenCode,
  cline,
  rooCode,
  kiloCode,
  droid,
  kimiCli,
  kimiCode,
  grokBuild,
  antigravity,
];

/** The name of a tool in texts; the name on boards if no reader knows the tool. */
export function nameOfTool(tool: string): string {
  return readers.find((reader) => reader.tool === tool)?.name ?? tool;
}
