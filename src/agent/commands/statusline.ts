import { command } from '../command.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { statusLine } from '../statusline/line.ts';
import { readStatusLine } from '../statusline/status.ts';

export const statusline = command({
  help: `opbench statusline: print one line for the status bar of an assistant

Usage: opbench statusline [--json]
       opbench statusline install [--tool NAME] [--dry-run] [--force] [--yes]
                                  [--json]
       opbench statusline uninstall [--tool NAME] [--dry-run] [--yes] [--json]

  --tool NAME  claude-code or qwen-code; default: every one that you use
  --dry-run    only show what would change in its settings
  --force      replace another status line; uninstall restores it
  --yes        do not ask
  --json       print JSON

The line has today's tokens and yield, and your rank from the last time that
opbench asked the board. It is read from saved counts: scan, submit and the
timer (opbench auto on) update them. Counts older than an hour say how old they
are. It never waits for logs or the network, and ignores its input.

Example: opbench statusline install --dry-run
`,
  json: `opbench statusline --json prints one object:

  counted   null, or {at_ms, is_today, tokens, yield}: when the logs were last
            read, in milliseconds since 1970, and the counts of today (UTC)
  standing  null, or {board, asked_ms, window, tool, rank, total, change}:
            "tool" is null for all tools together, "rank" if not ranked, and
            "change" (places climbed since the day before) if unknown

opbench statusline install --json and uninstall --json print one object:

  files     array of {tool, file, changed}
`,
  options: { tool: 'text', 'dry-run': 'flag', force: 'flag', yes: 'flag' },
  words: 1,
  async run({ word, values }, output, place: Place) {
    const { tool, force, yes, 'dry-run': isDry } = values;
    if (word === 'install' || word === 'uninstall') {
      const { installStatusLine } = await import('../statusline/install.ts');
      const asked = { tool, undo: word === 'uninstall', isDry, force, yes };
      await installStatusLine(place, asked, output);
      return EXIT.ok;
    }
    if (word !== '' || tool !== undefined || force || yes || isDry) {
      const what =
        word === '' ? 'takes these options only after install' : `does not take "${word}"`;
      const hint = 'It takes install or uninstall. For help: opbench statusline --help';
      throw new Failure(EXIT.usage, `statusline ${what}`, hint);
    }
    const nowMs = place.nowMs();
    const status = readStatusLine(place.environment, nowMs);
    output.result(status, () => statusLine(status, nowMs));
    return EXIT.ok;
  },
});
