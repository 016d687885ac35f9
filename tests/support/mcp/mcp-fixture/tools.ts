/** The tools that the conformance suite calls by name. */
import { setTimeout } from 'node:timers/promises';
import {
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { ASKING, capabilitiesOf } from './asking.ts';
import { AUDIO, IMAGE, type Tools, embedded, says, text } from './content.ts';

const TOOLS: Tools = {
  test_simple_text: () => says(text('This is a simple text response for testing.')),
  test_image_content: () => says(IMAGE),
  test_audio_content: () => says(AUDIO),
  test_embedded_resource: () =>
    says(embedded('test://embedded-resource', 'text/plain', 'An embedded resource.')),
  test_multiple_content_types: () =>
    says(
      text('Several types of content:'),
      IMAGE,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data"}'),
    ),
  test_error_handling: () => {
    throw new Error('This tool always fails');
  },

  test_tool_with_progress: async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      await setTimeout(10);
    }
    return says(text('Done'));
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const step of ['started', 'processing data', 'completed']) {
      await log(mcpReq, `Tool execution ${step}`);
      await setTimeout(10);
    }
    return says(text('Done'));
  },
  test_logging_tool: async ({ mcpReq }) => {
    await log(mcpReq, 'Only for who asked');
    return says(text('Done'));
  },

  test_missing_capability: ({ mcpReq }) => {
    if (capabilitiesOf(mcpReq).sampling) return says(text('Could ask for a sample'));
    const requiredCapabilities = { sampling: {} };
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
  },
  ...ASKING,
};

/** Deprecated in the protocol, but the suite still requires it. */
interface Logging {
  log(level: 'info', data: string): Promise<void>;
}

function log(mcpReq: Logging, data: string): Promise<void> {
  return mcpReq.log('info', data);
}

/** The library's registry would turn every error into a tool result, including protocol errors. */
export function registerTools({ server }: McpServer): void {
  const tools = Object.keys(TOOLS).map((name) => {
    return { name, description: `The suite calls it ${name}`, inputSchema: OBJECT };
  });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', async ({ params: { name } }, ctx) => {
    const answer = TOOLS[name];
    if (!answer) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${name}`);
    try {
      return await answer(ctx);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return { ...says(text(String(error))), isError: true };
    }
  });
}

const OBJECT = { type: 'object' } as const;
