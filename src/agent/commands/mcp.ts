import { type Command, readArguments } from '../command.ts';
import { deviceAt } from '../device-at.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Place } from '../device.ts';
import { keepProxyNoted } from '../text/kept-proxy.ts';

export const mcp: Command<Place> = {
  help: `opbench mcp: a server of the Model Context Protocol on stdin and stdout, for
agents: submit_verified, discover_peers, self_improve, status, scan, doctor.
opbench mcp install [claude-code|codex] [--yes] [--undo] [--json]: puts it into
the configuration of a client, of all your clients if none is named. Shows what
changes and asks; --yes does not ask, and replaces an entry "opbench" of
somebody else. --undo takes out what was put in, puts back what it replaced, and
removes the copy of the file that was kept from before the first change.
opbench mcp config [--json]: prints the entry for any other client.

Example: opbench mcp install claude-code

With --json, install prints {"clients": [{"client", "file", "changed",
"backup"}]}; "backup" is where the file as it was is kept until --undo, or null.
config prints {"mcpServers": {"opbench": {"command", "args", "env"}}} with and
without it; "env" only where something has to be carried.

Both save HTTPS_PROXY, ALL_PROXY and NO_PROXY of this shell in the state folder,
readable only by you. The server uses them unless its client sets its own.
`,
  async run(place, args, output) {
    const given = readArguments(args, {
      command: 'mcp',
      options: ['yes', 'undo', 'json'],
      words: 2,
    });
    const { words, yes, undo, json } = given;
    const [word, name] = words;
    if (word === 'install') {
      const { installServer } = await import('../mcp/install.ts');
      await installServer(place, { name, yes, undo, json }, output);
      return EXIT.ok;
    }
    if (name !== undefined || yes || undo) throw new Failure(EXIT.usage, 'See opbench mcp --help');
    if (word === 'config') {
      const { serverEntry } = await import('../mcp/clients.ts');
      const entry = serverEntry(place.environment);
      keepProxyNoted(place.environment, 'mcp', output);
      output.result(JSON.stringify({ mcpServers: { opbench: entry } }, null, 2));
      return EXIT.ok;
    }
    if (word !== undefined) throw new Failure(EXIT.usage, `mcp does not know "${word}"`);
    const { serve } = await import('../mcp/serve.ts');
    await serve((signal) => deviceAt(place, { signal, starter: 'mcp' }), output);
    return EXIT.ok;
  },
};
