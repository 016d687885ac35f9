import { readBoardUrl } from '../board/address.ts';
import { command } from '../command.ts';
import { deviceAt } from '../device-at.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Place } from '../device.ts';
import { keepProxyNoted } from '../state/saved-proxy.ts';

/** Desktop clients pass an empty text if their user emptied the setting. It means all boards. */
function homeBoard(text: string): string {
  return text === '' ? '' : readBoardUrl(text);
}

export const mcp = command({
  help: `opbench mcp: let AI assistants use opbench, as a local MCP server

Usage: opbench mcp [--board URL]                  serve MCP on stdin and stdout
       opbench mcp install [CLIENT] [--yes] [--undo] [--json]
       opbench mcp config                         print the entry for any client

  CLIENT  claude-code or codex; default: every client you use
  --board URL
          the board of tools that are called without one; default: all boards
          where this device is enrolled
  --yes   do not ask, and replace an entry "opbench" that opbench did not create
  --undo  remove the entry
  --json  print JSON

install runs "claude mcp add" or "codex mcp add" after showing you the command.
If that program is missing, it prints the entry and the file that it belongs in.
install and config save HTTPS_PROXY, ALL_PROXY and NO_PROXY of this shell for
the server; only you can read them.

Tools: submit_verified, discover_peers, self_improve, status, scan, doctor
Prompts: submit_and_improve, compare_with_peer, explain_last_week

Example: opbench mcp install claude-code
`,
  json: `opbench mcp install --json prints one object:

  clients  array of {client, file, changed, backup}; "changed" is false if the
           entry was only printed, "backup" is always null

opbench mcp config prints, with and without --json:

  {"mcpServers": {"opbench": {"command", "args", "env"}}}

"env" is present only if variables have to be passed on.
`,
  options: { board: homeBoard, yes: 'flag', undo: 'flag' },
  words: 2,
  choices: [
    ['install', 'config'],
    ['claude-code', 'codex'],
  ],
  async run({ words: [word, name], values: { board, yes, undo } }, output, place: Place) {
    if (word !== undefined && board !== undefined)
      throw new Failure(
        EXIT.usage,
        `mcp ${word} does not take --board`,
        'For help: opbench mcp --help',
      );
    if (word === 'install') {
      const { installServer } = await import('../mcp/install.ts');
      await installServer(place, { name, yes, undo }, output);
      return EXIT.ok;
    }
    if (name !== undefined || yes || undo)
      throw new Failure(
        EXIT.usage,
        'mcp takes these arguments only after install',
        'For help: opbench mcp --help',
      );
    if (word === 'config') {
      const { serverEntry } = await import('../mcp/clients.ts');
      const entry = serverEntry(place.environment);
      keepProxyNoted(place.environment, 'mcp', output);
      output.print(JSON.stringify({ mcpServers: { opbench: entry } }, null, 2));
      return EXIT.ok;
    }
    if (word !== undefined)
      throw new Failure(
        EXIT.usage,
        `mcp does not take "${word}"`,
        'It takes install or config. For help: opbench mcp --help',
      );
    const { serve } = await import('../mcp/server.ts');
    await serve(
      (signal) => deviceAt(place, { signal, starter: 'mcp' }),
      output,
      board || undefined,
    );
    return EXIT.ok;
  },
});
