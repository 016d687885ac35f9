/** The manifest of the bundle that desktop clients install. */
import { DEVICE_TOOL_NAMES, named } from '#core/contract/mcp/tools.ts';

/** The newest version of the format without experimental parts. */
const MANIFEST_VERSION = '0.3';

/**
 * Returns the manifest as text.
 *
 * @param node The supported versions of Node.js.
 * @see {@link https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md | MCPB manifest}
 */
export function bundleManifest(version: string, baseUrl: string, node: string): string {
  const { host } = new URL(baseUrl);
  const manifest = {
    manifest_version: MANIFEST_VERSION,
    name: 'opbench',
    display_name: `Opbench (${host})`,
    version,
    description: 'Submit signed token counts of your AI assistants, and learn what to improve.',
    long_description: `Reads the token counts in the logs of the AI assistants on this computer, signs them, and submits them to the board at ${baseUrl} when you ask for it. Prompts, code and project names stay on this computer. To submit, enroll this computer first: see ${baseUrl}/docs/join/agents.`,
    // Together with the name, the author identifies the bundle, and each board serves its own.
    author: { name: host, url: baseUrl },
    homepage: baseUrl,
    documentation: `${baseUrl}/docs/join/agents`,
    license: 'MIT',
    privacy_policies: [`${baseUrl}/privacy`],
    server: {
      type: 'node',
      entry_point: 'opbench.mjs',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/opbench.mjs', 'mcp', '--board=${user_config.board}'],
      },
    },
    tools: DEVICE_TOOL_NAMES.map(toolOf),
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node } },
    user_config: {
      board: {
        type: 'string',
        title: 'Board',
        description:
          'The address of your board. Empty: all boards where this computer is enrolled.',
        default: baseUrl,
        required: false,
      },
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** A tool with the first sentence of its description. */
function toolOf(name: (typeof DEVICE_TOOL_NAMES)[number]) {
  const [first = ''] = named(name).description.split(/(?<=\.) /);
  return { name, description: first };
}
