import { command } from '../command.ts';
import { deviceAt } from '../device-at.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Place } from '../device.ts';
import { keepProxyNoted } from '../state/saved-proxy.ts';

export const mcp = command({
  help: `opbench mcp: a server of the Model Context Protocol on stdin and stdout, for
agents: submit_verified, discover_peers, self_improve, status, scan, doctor.
opbench mcp install [claude-code|codex] [--yes] [--undo] [--json]: has a client
add it by its own program ("claude mcp add", "codex mcp add"), or all your
clients if none is named. Shows the command and asks; --yes does not ask, and
replaces an entry "opbench" of somebody else. Where that program is not
installed, it prints the entry and the file for it. --undo takes the entry out.
opbench mcp config [--json]: prints the entry for any other client.

Example: opbench mcp install claude-code

With --json, install prints {"clients": [{"client", "file", "changed",
"backup"}]}; "changed" is false where the entry is printed, "backup" is null.
config prints {"mcpServers": {"opbench": {"command", "args", "env"}}} with and
without it; "env" only where something has to be carried.

Both save HTTPS_PROXY, ALL_PROXY and NO_PROXY of this shell in the state folder,
readable only by you. The server uses them unless its client sets its own.
`,
  options: { yes: 'flag', undo: 'flag' },
  words: 2,
  async run({ words: [word, name], values: { yes, undo } }, output, place: Place) {
    if (word === 'install') {
      const { installServer } = await import('../mcp/install.ts');
      await installServer(place, { name, yes, undo }, output);
      return EXIT.ok;
    }
    if (name !== undefined || yes || undo) throw new Failure(EXIT.usage, 'See opbench mcp --help');
    if (word === 'config') {
      const { serverEntry } = await import('../mcp/clients.ts');
      const entry = serverEntry(place.environment);
      keepProxyNoted(place.environment, 'mcp', output);
      output.print(JSON.stringify({ mcpServers: { opbench: entry } }, null, 2));
      return EXIT.ok;
    }
    if (word !== undefined) throw new Failure(EXIT.usage, `mcp does not know "${word}"`);
    const { serve } = await import('../mcp/server.ts');
    await serve((signal) => deviceAt(place, { signal, starter: 'mcp' }), output);
    return EXIT.ok;
  },
});
