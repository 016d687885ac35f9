/**
 * Assistants whose logs do not contain the tokens of all requests. `opbench` never estimates, so they cannot be counted.
 *
 * Aider-AI/aider: `aider/coders/base_coder.py`; CodebuffAI/freebuff at 5dcbfb2: `cli/src`; charmbracelet/crush at 37f36e9:
 * `internal/agent/agent.go`. For the others, from readers of their files: tokscale, codeburn, agentsview.
 *
 * @module
 */
import { type Surroundings, applicationFolder, dataFolder, under } from './shared/places.ts';

interface UncountedTool {
  readonly name: string;
  /** Folders that exist if it was used on this device. */
  readonly places: (at: Surroundings) => string[];
  /** Why it cannot be counted: a sentence about the tool. */
  readonly reason: string;
}

/** All of them, by name. */
export const uncountedTools: readonly UncountedTool[] = [
  {
    name: 'Aider',
    places: ({ home }) => under(home, '.aider'),
    reason: 'It stores no token counts, except in a file for `--analytics-log`.',
  },
  {
    name: 'Codebuff',
    places: ({ home }) => under(home, '.config', 'manicode'),
    reason: 'It stores credits and the size of the context, but no token counts.',
  },
  {
    name: 'Crush',
    places: (at) => [
      ...under(dataFolder(at), 'crush'),
      ...(at.platform === 'win32' ? under(at.env.LOCALAPPDATA, 'crush') : []),
    ],
    reason: 'It stores the size of the last request only, not the tokens of all requests.',
  },
  {
    name: 'Cursor',
    places: (at) => [...under(applicationFolder(at), 'Cursor'), ...under(at.home, '.cursor')],
    reason: 'It stores no reliable token counts on the device. They are on its website.',
  },
  {
    name: 'Kiro',
    places: (at) => [...under(applicationFolder(at), 'Kiro'), ...under(at.home, '.kiro')],
    reason: 'It counts credits, not tokens.',
  },
  {
    name: 'Qoder',
    places: ({ home }) => under(home, '.qoder'),
    reason: 'It stores no token counts.',
  },
  {
    name: 'Trae',
    places: (at) => under(applicationFolder(at), 'Trae'),
    reason: 'It stores no token counts on the device. They are on its website.',
  },
  {
    name: 'Warp',
    places: warpFolders,
    reason: 'It stores totals of each conversation, without separate input and output.',
  },
  {
    name: 'Windsurf',
    places: (at) => [
      ...under(applicationFolder(at), 'Windsurf'),
      ...under(at.home, '.codeium', 'windsurf'),
    ],
    reason: 'It stores no token counts.',
  },
];

function warpFolders({ env, home, platform }: Surroundings): string[] {
  if (platform === 'win32') return under(env.LOCALAPPDATA, 'warp');
  if (platform !== 'darwin')
    return under(env.XDG_STATE_HOME || under(home, '.local', 'state')[0], 'warp-terminal');
  return under(home, 'Library', 'Application Support', 'dev.warp.Warp-Stable');
}
